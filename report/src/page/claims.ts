// What the literature says, and what this machine says to it. The program has judged; here it is only shown.

import { h } from '../dom';
import type { Claim, Finding, Run, Source, Verdict } from '../data';

const words: Record<Verdict, string> = { holds: 'holds here', fails: 'does not hold here', open: 'not resolved', unmeasured: 'not measured',
  none: 'no verdict' };
const signs: Record<Verdict, string> = { holds: '✓', fails: '✗', open: '?', unmeasured: '–', none: '·' };

const decides = (v: Verdict) => v === 'holds' || v === 'fails' || v === 'open';

interface Told {
  run: Run;
  finding: Finding;
}

function row(claim: Claim, told: Told[], several: boolean): HTMLElement {
  return h('li', { class: 'claim' },
    h('p', { class: 'says' }, h('span', { class: 'claim-id' }, claim.id), claim.says,
      h('span', { class: 'small' }, [claim.figure ? ` Given: ${claim.figure}.` : '', claim.where ? ` Section ${claim.where}.` : ''].join(''))),
    told.map(({ run, finding: f }) => h('p', { class: `finding ${f.verdict}` },
      h('strong', {}, h('span', { class: 'sign', 'aria-hidden': 'true' }, signs[f.verdict]), several ? `${run.name}: ${words[f.verdict]}` : words[f.verdict]),
      h('span', {}, `: ${f.because}${f.because.endsWith('.') ? '' : '.'}`))),
    claim.judged && told.some((t) => decides(t.finding.verdict)) && h('p', { class: 'small judged' }, `How it is judged: ${claim.judged}`));
}

function summary(all: Finding[]): string {
  const many: Record<Verdict, [string, string]> = { holds: ['holds', 'hold'], fails: ['does not', 'do not'], open: ['is not resolved', 'are not resolved'],
    unmeasured: ['is not measured', 'are not measured'], none: ['has no verdict', 'have no verdict'] };
  const count = (v: Verdict) => all.filter((f) => f.verdict === v).length;
  return (['holds', 'fails', 'open', 'unmeasured', 'none'] as const).filter((v) => count(v) > 0).map((v) =>
    `${count(v)} ${many[v][count(v) === 1 ? 0 : 1]}`).join(', ');
}

export function claimsSection(runs: Run[], claims: Claim[], sources: Source[]): HTMLElement {
  const judged = runs.filter((r) => r.kind !== 'published');
  const several = judged.length > 1;
  const toldOf = (claim: Claim): Told[] => claim.findings.flatMap((finding, i) => {
    const run = runs[i];
    return finding && run ? [{ run, finding }] : [];
  });
  const table = claims.map((claim) => ({ claim, told: toldOf(claim) }));
  const parts = sources.map((s) => {
    const own = table.filter((t) => t.claim.id.startsWith(s.letter));
    const told = own.filter((t) => t.told.some((f) => decides(f.finding.verdict)));
    const waiting = own.filter((t) => !told.includes(t));
    return h('section', { class: 'source' },
      h('h3', {}, s.title), h('p', { class: 'small' }, `${s.by}. ${summary(own.flatMap((t) => t.told.map((f) => f.finding)))}.`),
      told.length > 0 && h('ul', { class: 'claims' }, told.map((t) => row(t.claim, t.told, several))),
      waiting.length > 0 && h('details', {}, h('summary', {}, `${waiting.length} without a verdict in ${several ? 'these runs' : 'this run'}`),
        h('ul', { class: 'claims' }, waiting.map((t) => row(t.claim, t.told.slice(0, 1), false)))));
  });
  return h('section', { class: 'family', id: 'claims' }, h('h2', {}, 'Claims and verdicts'),
    h('p', { class: 'lead' },
      'What papers and articles say about synchronization, put to the numbers above. A verdict speaks of this machine only, and only of what was measured; “not resolved” is a verdict, too.'),
    judged.length === 0 ? h('p', {}, 'There is no measured or simulated run in this report to put the claims to.') : parts);
}
