// What the literature says, and what this machine says to it.

import claims from '../claims.json';
import { h } from '../dom';
import { Evidence, type Finding, type Verdict } from '../evidence';
import type { Run } from '../reading';
import { judges } from '../verdicts';

interface Claim {
  id: string;
  source: string;
  where?: string;
  says: string;
  figure?: string;
  judged?: string;
  needs: string;
}

export const allClaims: Claim[] = claims.claims;

/** A question is answered or not; it cannot hold. */
const isQuestion = (c: Claim) => c.says.startsWith('Open question');

const words: Record<Verdict, string> = { holds: 'holds here', fails: 'does not hold here', open: 'not resolved', unmeasured: 'not measured' };
const signs: Record<Verdict, string> = { holds: '✓', fails: '✗', open: '?', unmeasured: '–' };

/** A claim without a judge waits for what it needs. */
export function findingOn(claim: Claim, run: Run): Finding {
  const judge = Object.hasOwn(judges, claim.id) ? judges[claim.id] : undefined;
  return judge ? judge(new Evidence(run)) : { verdict: 'unmeasured', because: `needs ${claim.needs}` };
}

function row(claim: Claim, runs: Run[], findings: Finding[]): HTMLElement {
  return h('li', { class: 'claim' },
    h('p', { class: 'says' }, h('span', { class: 'claim-id' }, claim.id), claim.says,
      h('span', { class: 'small' }, [claim.figure ? ` Given: ${claim.figure}.` : '', claim.where ? ` Section ${claim.where}.` : ''].join(''))),
    findings.map((f, i) => h('p', { class: `finding ${f.verdict}` },
      h('strong', {}, h('span', { class: 'sign', 'aria-hidden': 'true' }, signs[f.verdict]), runs.length > 1 ? `${runs[i]!.name}: ${verdictWords(claim, f)}` : verdictWords(claim, f)),
      h('span', {}, f.verdict === 'unmeasured' ? `: ${needs(claim, f)}` : `: ${f.because}.`))),
    claim.judged && findings.some((f) => f.verdict !== 'unmeasured') && h('p', { class: 'small judged' }, `How it is judged: ${claim.judged}`));
}

const verdictWords = (claim: Claim, f: Finding) => (isQuestion(claim) && f.verdict === 'holds' ? 'answered here' : words[f.verdict]);

const needs = (claim: Claim, f: Finding) => (f.because.startsWith('needs ') ? `${f.because}.` : `${f.because}; needs ${claim.needs}.`);

function summary(all: Finding[]): string {
  const count = (v: Verdict) => all.filter((f) => f.verdict === v).length;
  const many: Record<Verdict, [string, string]> = { holds: ['holds or is answered here', 'hold or are answered here'], fails: ['does not', 'do not'], open: ['is not resolved', 'are not resolved'], unmeasured: ['is not measured', 'are not measured'] };
  return (['holds', 'fails', 'open', 'unmeasured'] as const).filter((v) => count(v) > 0).map((v) => `${count(v)} ${many[v][count(v) === 1 ? 0 : 1]}`).join(', ');
}

export function claimsSection(runs: Run[]): HTMLElement {
  const judged = runs.filter((r) => r.kind !== 'published');
  const table = allClaims.map((claim) => ({ claim, findings: judged.map((r) => findingOn(claim, r)) }));
  const sources = Object.entries(claims.sources).map(([id, s]) => {
    const own = table.filter((t) => t.claim.source === id);
    const told = own.filter((t) => t.findings.some((f) => f.verdict !== 'unmeasured'));
    const waiting = own.filter((t) => !told.includes(t));
    return h('section', { class: 'source' },
      h('h3', {}, s.title), h('p', { class: 'small' }, `${s.by}. ${summary(own.flatMap((t) => t.findings))}.`),
      told.length > 0 && h('ul', { class: 'claims' }, told.map((t) => row(t.claim, judged, t.findings))),
      waiting.length > 0 && h('details', {}, h('summary', {}, `${waiting.length} not measured in ${judged.length > 1 ? 'these runs' : 'this run'}`),
        h('ul', { class: 'claims' }, waiting.map((t) => row(t.claim, judged.slice(0, 1), t.findings.slice(0, 1))))));
  });
  return h('section', { class: 'family', id: 'claims' }, h('h2', {}, 'Claims and verdicts'),
    h('p', { class: 'lead' }, 'What papers and articles say about synchronization, put to the numbers above. A verdict speaks of this machine only, and only of what was measured; “not resolved” is a verdict, too.'),
    judged.length === 0 ? h('p', {}, 'There is no measured or simulated run in this report to put the claims to.') : sources);
}
