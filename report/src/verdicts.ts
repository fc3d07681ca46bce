// Small functions that put a claim to a run's cells. Their names are the claims' in claims.json, which says in words
// what each counts as holding.

import { Evidence, listed, missing, modeWords, pairedRatio, quotient, range, together, within, digits, quantity, type Finding, type Known, type Where } from './evidence';

export type Judge = (e: Evidence) => Finding;

const states = 'coherence.states';
const throughput = 'locks.throughput';
const wake = 'wake.broadcast';

const simple = ['tas', 'ttas', 'ticket'];
const queues = ['mcs', 'clh'];
const atomics = ['cas', 'fai', 'tas', 'swap'];

const here = 'same_cpu';
const isOneOf = (names: string[]) => (v: string | number) => names.includes(String(v));
const spins = (v: string | number) => /^spin\/|\/spin(_yield)?$|\/yield$|^pthread\/spin|^rendezvous/.test(String(v));
const sleeps = (v: string | number) => !spins(v);

/** One access against another, wherever both were measured. */
function accesses(e: Evidence, a: Where, b: Where, distance: string) {
  return e.pair(states, 'latency_cycles', { ...a, distance }, { ...b, distance }) ?? e.pair(states, 'latency', { ...a, distance }, { ...b, distance });
}

const remote = (e: Evidence) => e.distances(states).filter((d) => d !== here);

function acrossPackages(e: Evidence): Finding {
  const all = remote(e);
  const far = all.filter(isOneOf(['other_package', 'one_hop', 'two_hops']));
  const near = all.find((d) => !far.includes(d));
  if (far.length === 0 || !near) return missing(`this run has no two distances that lie inside and across packages (it has ${listed(all) || 'none'})`);
  const load = { operation: 'load', state: 'modified' };
  return e.compare(e.pair(states, 'latency_cycles', { ...load, distance: far[far.length - 1]! }, { ...load, distance: near }), { least: 2 }, ['distance'], 'loads of a modified line were not measured at both distances');
}

function alikeAtomics(e: Evidence): Finding {
  const distance = remote(e).pop();
  const cells = distance ? e.cells(states, 'latency_cycles', { operation: isOneOf(atomics), state: 'modified', distance }) : [];
  if (cells.length < 4) return missing('the four atomic operations on a line held elsewhere were not all measured');
  return e.compare([e.worst(cells)!, e.best(cells)!], { most: 1.1 }, ['operation'], '');
}

/** The best of some locks against the best of others, at one place. */
function contest(e: Evidence, a: string[], b: string[], where: Where, least: number, nothing: string): Finding {
  const of = (names: string[]) => e.best(e.cells(throughput, 'throughput', { ...where, lock: isOneOf(names) }));
  const [x, y] = [of(a), of(b)];
  return e.compare(x && y ? [x, y] : null, { least }, ['lock'], nothing);
}

const shared: Where = { readers: (v) => v === 0, hold: (v) => v === 0 };

/** Older files have no such axes. */
const plainLocks = (e: Evidence): Where => (e.cells(throughput, 'throughput', shared).length > 0 ? shared : {});

function bestAgainst(e: Evidence, threads: number, others: number, where: Where, bounds: { least?: number; most?: number }, nothing: string): Finding {
  const at = (n: number) => e.best(e.cells(throughput, 'throughput', { ...plainLocks(e), ...where, threads: n }));
  const [x, y] = [at(threads), at(others)];
  return e.compare(x && y ? [x, y] : null, bounds, ['lock', 'threads'], nothing);
}

/** The locks that no other resolvedly beats, at each place where several competed. */
function unbeaten(e: Evidence): { place: string; names: string[] }[] {
  const places = new Map<string, Known[]>();
  for (const c of e.cells(throughput, 'throughput')) {
    const key = JSON.stringify(Object.entries(c.at).filter(([a]) => a !== 'lock'));
    places.set(key, [...(places.get(key) ?? []), c]);
  }
  return [...places].filter(([, cells]) => cells.length > 1).map(([place, cells]) => {
    const best = e.best(cells)!;
    return { place, names: cells.filter((c) => c === best || !pairedRatio(best, c)?.resolved).map((c) => String(c.at.lock)) };
  });
}

function noneAlwaysBest(e: Evidence): Finding {
  const places = unbeaten(e);
  if (places.length < 2) return missing('fewer than two places where several locks competed');
  const always = places[0]!.names.filter((n) => places.every((p) => p.names.includes(n)));
  if (always.length === 0) return { verdict: 'holds', because: `of ${places.length} places measured, no lock is unbeaten in all` };
  const only = places.every((p) => p.names.length === 1);
  const some = `${listed(always.slice(0, 4))}${always.length > 4 ? ` and ${always.length - 4} more` : ''}`;
  return { verdict: only ? 'fails' : 'open', because: `in all ${places.length} places measured, nothing resolvedly beats ${some}` };
}

function mutexNeverBest(e: Evidence): Finding {
  const limit = e.processors || Infinity;
  const cells = e.cells(throughput, 'throughput', { ...plainLocks(e), threads: (v) => Number(v) <= limit });
  const findings = cells.filter((c) => c.at.lock === 'pthread/mutex').map((mutex) => {
    const rivals = cells.filter((c) => c !== mutex && Object.entries(mutex.at).every(([a, v]) => a === 'lock' || c.at[a] === v));
    const best = e.best([mutex, ...rivals])!;
    if (best === mutex) {
      const second = e.best(rivals);
      return second ? e.compare([second, mutex], { least: 1 }, ['lock', 'threads'], '') : missing('nothing to compare with');
    }
    return e.compare([best, mutex], { least: 1 }, ['lock', 'threads'], '');
  });
  return together(findings, 'pthread/mutex was not measured');
}

// ---- waking

const woken = (e: Evidence, metric: string, where: Where) => e.cells(wake, metric, { ...usual(e), ...where });

/** Default priority, pinned close together, one call: unless asked otherwise. */
function usual(e: Evidence): Where {
  const all = e.cells(wake, undefined);
  const where: Where = {};
  if (all.some((c) => c.at.priority === 'default')) where.priority = 'default';
  if (all.some((c) => c.at.placement === 'compact')) where.placement = 'compact';
  return where;
}

const mostSleepers = (e: Evidence) => Math.max(0, ...e.cells(wake, 'wake_mean').map((c) => Number(c.at.threads)));

/** Until the last of three workers or more has started: in divided work, else by a bare trigger. */
function startOf(e: Evidence, primitive: string[], least: number, most: number): Finding {
  const teams = e.cells('forkjoin.timeline', 'invocation_delay', { primitive: isOneOf(primitive), threads: (v) => Number(v) >= 4 });
  const smallest = Math.min(...teams.map((c) => Number(c.at.threads)));
  const start = e.best(teams.filter((c) => Number(c.at.threads) === smallest));
  if (start) return between(start, least, most, `${String(start.at.primitive)}: ${quantity(start.value, 'ns')} until the last of ${smallest - 1} workers runs`);
  const threads = e.cells(wake, 'wake_last', { primitive: isOneOf(primitive) }).map((c) => Number(c.at.threads)).filter((n) => n >= 3).sort((a, b) => a - b)[0];
  const cell = e.best(woken(e, 'wake_last', { primitive: isOneOf(primitive), threads: (v) => v === threads }));
  if (!cell) return missing(`${listed(primitive)} was not measured with three sleepers or more`);
  return between(cell, least, most, `${String(cell.at.primitive)}: ${quantity(cell.value, 'ns')} to the last of ${threads} sleepers`);
}

function between(c: Known, least: number, most: number, because: string): Finding {
  return { verdict: c.ci ? within({ value: c.value, ci: c.ci, resolved: true }, { least, most }) : 'open', because: c.ci ? because : `${because}, without an interval` };
}

/** Procedure calls against events and semaphores, and these against each other: by divided work where that was measured,
 * else by a bare trigger. */
function callsSlower(e: Evidence): Finding {
  const started = (primitive: string) => e.cells('forkjoin.timeline', 'invocation_delay', { primitive, threads: (v) => Number(v) >= 4 })[0];
  const last = (primitive: string) => woken(e, 'wake_last', { primitive, threads: mostSleepers(e) })[0];
  const against = (one: string, other: string, bounds: { least?: number; most?: number }) => {
    const both = (at: (primitive: string) => Known | undefined) => [at(one), at(other)] as const;
    const [a, b] = both(started).every((c) => c) ? both(started) : both(last);
    return e.compare(a && b ? [a, b] : null, bounds, ['primitive'], `${one} and ${other} were not both measured`);
  };
  return together([against('signal/handler', 'linux/futex', { least: 1 }), against('signal/handler', 'posix/sem', { least: 1 }), against('linux/futex', 'posix/sem', alike)], '');
}

const alike = { least: 1 / 1.5, most: 1.5 };

const meetings = ['rendezvous', 'rendezvous/spin', 'rendezvous/park', 'rendezvous/yield'];
const fits = (e: Evidence) => (v: string | number) => Number(v) > 1 && Number(v) <= (e.processors || Infinity);

/** Starts after one call for several, against starts that are together. */
function oneAfterAnother(e: Evidence): Finding {
  const names = ['sysv/sem', 'std/counting_semaphore', 'linux/eventfd', 'linux/futex', 'event'];
  const findings = names.flatMap((primitive) => woken(e, 'gap', { calls: 'one', primitive, threads: fits(e) }).slice(0, 1).map((gap) => {
    const together = e.best(woken(e, 'gap', { primitive: isOneOf(meetings), threads: gap.at.threads! }));
    return e.compare(together ? [gap, together] : null, { least: 2 }, ['primitive', 'threads'], 'rendezvous was not measured');
  }));
  return together(findings, 'no primitive that releases several by one call was measured with a processor for each');
}

const articleSleepers = 11;
/** What on this system is the event and the semaphore of the article, and what is made to start nobody early. */
const evenOnes = /^(event|event_group|auto_event|rendezvous)(\/|$)|^(linux\/futex|linux\/futex_waitv|linux\/eventfd|posix\/sem|sysv\/sem|std\/counting_semaphore)$/;

/** Against the event: the third woken sooner, the last later. */
function fewFirst(e: Evidence): Finding {
  const at = (primitive: string, order: number) => woken(e, 'wake_of_order', { primitive, order, threads: articleSleepers })[0];
  const names = [...new Set(woken(e, 'wake_of_order', { threads: articleSleepers, primitive: sleeps }).map((c) => String(c.at.primitive)))];
  return together(names.filter((n) => !evenOnes.test(n)).map((n) => {
    const ratio = (order: number, bounds: { least?: number; most?: number }) => {
      const [a, b] = [at(n, order), at('event', order)];
      return e.compare(a && b ? [a, b] : null, bounds, ['primitive', 'order'], 'event was not measured');
    };
    return together([ratio(3, { most: 1 }), ratio(articleSleepers, { least: 1 })], '');
  }), `wake.broadcast was not measured by order with ${articleSleepers} sleepers`);
}

/** Triggers of a primitive, over all repetitions; the fewest of all primitives. */
function setUp(e: Evidence): Finding {
  const wanted = 32_000;
  const counts = woken(e, 'triggers', { threads: articleSleepers }).map((c) => ({ name: String(c.at.primitive), n: c.samples.reduce((sum, s) => sum + s, 0) }));
  if (counts.length === 0) return missing(`no triggers of ${articleSleepers} sleepers were counted`);
  const least = counts.reduce((a, b) => (b.n < a.n ? b : a));
  return { verdict: least.n >= wanted ? 'holds' : 'open', because: `${counts.length} primitives with ${articleSleepers} sleepers, triggered ${least.n} times at least (${least.name})` };
}

/** Of more sleepers than the article had processors for. */
function manyProcessors(e: Evidence): Finding {
  const cells = e.cells('wake.groups', undefined, { threads: (v) => Number(v) >= 191 }).filter((c) => c.metric === 'wake_mean' || c.metric === 'wake_last');
  const own = cells.filter((c) => c.metric === cells[0]?.metric && c.at.primitive === cells[0]?.at.primitive && c.at.threads === cells[0]?.at.threads);
  const best = e.best(own);
  if (!best || e.processors < 192) return missing('wake.groups was not run with 191 sleepers on 192 processors');
  return { verdict: 'holds', because: `${String(best.at.primitive)} wakes ${String(best.at.threads)} threads soonest with ${String(best.at.group)} to an object: ${quantity(best.value, best.unit)}` };
}

/** For every primitive, one place against another. */
function each(e: Evidence, metric: string, a: Where, b: Where, bounds: { least?: number; most?: number }, choose: (p: string | number) => boolean, nothing: string): Finding {
  const names = [...new Set(e.cells(wake, metric, { primitive: choose }).map((c) => String(c.at.primitive)))];
  const findings = names.map((primitive) => {
    const x = woken(e, metric, { ...a, primitive });
    const pairs = x.map((c) => {
      const y = woken(e, metric, { ...b, primitive }).find((d) => Object.entries(c.at).every(([axis, v]) => axis in a || axis in b || d.at[axis] === v));
      return y ? e.compare([c, y], bounds, ['primitive', ...Object.keys(a)], '') : missing(nothing);
    });
    return together(pairs, nothing);
  });
  return together(findings, nothing);
}

function fastestSpin(e: Evidence): Finding {
  const at = (metric: string, primitive: (v: string | number) => boolean) => woken(e, metric, { threads: 1, primitive });
  const [spin, sleep] = [e.best(at('wake_mean', spins)), e.best(at('wake_mean', sleeps))];
  const share = (of: Known | undefined) => at('cpu_share', (v) => v === of?.at.primitive)[0];
  const [burnt, spared] = [share(spin), share(sleep)];
  const burns = e.compare(burnt && spared ? [burnt, spared] : null, { least: 2 }, ['primitive'], 'processor time was not told');
  const fastest = e.compare(spin && sleep ? [sleep, spin] : null, { least: 1 }, ['primitive'], 'spinning and sleeping primitives were not both measured with one sleeper');
  return fastest.verdict === 'unmeasured' ? fastest : together([fastest, { ...burns, because: `share of the wait that burns a processor: ${burns.because}` }], '');
}

/** Those that pass a held mutex on, against every other that sleeps. */
function heldSlowest(e: Evidence): Finding {
  const held = ['pthread/mutex_flag', 'std/mutex_flag'];
  const all = woken(e, 'wake_mean', { primitive: sleeps, threads: mostSleepers(e) });
  const slow = e.best(all.filter((c) => isOneOf(held)(c.at.primitive!)));
  if (!slow) return missing('pthread/mutex_flag was not measured');
  const others = all.filter((c) => !isOneOf(held)(c.at.primitive!));
  return together(others.map((c) => e.compare([slow, c], { least: 1 }, ['primitive'], '')), 'no other primitive that sleeps was measured');
}

/** Later with more sleepers, whatever they wait for; by more where a held mutex is passed on. */
function laterWithMore(e: Evidence): Finding {
  const most = mostSleepers(e);
  if (most < 2) return missing('not measured with several sleepers');
  const growth = (primitive: string) => {
    const at = (threads: number) => woken(e, 'wake_mean', { primitive, threads })[0];
    const [many, one] = [at(most), at(1)];
    return many && one ? quotient(many, one) : null;
  };
  const [held, signalled] = [growth('pthread/mutex_flag'), growth('pthread/cond')];
  const faster = e.compare(held && signalled ? [held, signalled] : null, { least: 1 }, ['primitive'], 'not measured');
  return together([each(e, 'wake_mean', { threads: most }, { threads: 1 }, { least: 1 }, sleeps, 'not measured with one sleeper and with several'),
    { ...faster, because: `times as long with ${most} sleepers as with one: ${faster.because}` }], '');
}

function mixedPinning(e: Evidence): Finding {
  const names = [...new Set(e.cells(wake, 'wake_mean').map((c) => String(c.at.primitive)))];
  const count = { gains: 0, loses: 0, open: 0 };
  for (const primitive of names)
    for (const c of e.cells(wake, 'wake_mean', { primitive, placement: 'compact' })) {
      const free = e.cells(wake, 'wake_mean', { primitive, placement: 'unpinned', threads: c.at.threads ?? 0 }).find((d) => d.at.calls === c.at.calls && d.at.priority === c.at.priority);
      const r = free ? pairedRatio(free, c) : null;
      if (r) ++count[!r.resolved ? 'open' : r.value > 1 ? 'gains' : 'loses'];
    }
  const total = count.gains + count.loses + count.open;
  if (total === 0) return missing('compact and unpinned were not both measured');
  const mixed = (count.gains > 0 && count.loses > 0) || count.open >= total / 2;
  return { verdict: mixed ? 'holds' : 'fails', because: `of ${total} comparisons pinning gains in ${count.gains}, loses in ${count.loses}, and no difference is resolved in ${count.open}` };
}

function aloneAlike(e: Evidence): Finding {
  const cells = woken(e, 'wake_mean', { threads: 1, primitive: sleeps });
  return e.compare(cells.length > 1 ? [e.worst(cells)!, e.best(cells)!] : null, { most: 1.5 }, ['primitive'], 'several sleeping primitives were not measured with one sleeper');
}

/** The last woken over the first: the most even of the events and semaphores against all that is neither. */
function mostEven(e: Evidence): Finding {
  const threads = mostSleepers(e);
  if (threads < 3) return missing('several primitives were not measured with three sleepers or more');
  const ratios = woken(e, 'wake_first', { threads, primitive: sleeps }).flatMap((first) => {
    const last = woken(e, 'wake_last', { threads, primitive: first.at.primitive!, ...(first.at.calls === undefined ? {} : { calls: first.at.calls }) })[0];
    const ratio = last ? quotient(last, first) : null;
    return ratio ? [ratio] : [];
  });
  const best = e.best(ratios.filter((c) => isOneOf(['event', 'linux/futex', 'posix/sem', 'sysv/sem', 'std/counting_semaphore'])(c.at.primitive!)));
  if (!best) return missing('neither an event nor a semaphore was measured');
  const others = ratios.filter((c) => !evenOnes.test(String(c.at.primitive)));
  return together(others.map((c) => e.compare([c, best], { least: 1 }, ['primitive'], '')), 'no primitive but events and semaphores was measured');
}

function firstServed(e: Evidence): Finding {
  const names = ['linux/futex_each', 'posix/sem_each', 'std/atomic_wait_each', 'linux/eventfd_each'];
  return together(names.map((primitive) => {
    const cells = woken(e, 'wake_of_thread', { primitive });
    const threads = Math.max(0, ...cells.map((c) => Number(c.at.threads)));
    const own = cells.filter((c) => c.at.threads === threads).sort((a, b) => Number(a.at.thread) - Number(b.at.thread));
    return e.compare(own.length > 1 ? [own[own.length - 1]!, own[0]!] : null, { least: 1 }, ['primitive', 'thread'], 'no primitive with an object for each thread was measured by thread');
  }), '');
}

/** By primitive, for so many sleepers; for the most, if none were so many. */
function groupSizes(e: Evidence, wanted?: number): Map<string, Known[]> {
  const groups = new Map<string, Known[]>();
  const metric = e.cells('wake.groups', 'wake_mean').length > 0 ? 'wake_mean' : 'wake_last';
  const cells = e.cells('wake.groups', metric);
  const counts = cells.map((c) => Number(c.at.threads ?? 0));
  const threads = wanted !== undefined && counts.includes(wanted) ? wanted : Math.max(0, ...counts);
  for (const c of cells.filter((x) => Number(x.at.threads ?? 0) === threads)) groups.set(String(c.at.primitive), [...(groups.get(String(c.at.primitive)) ?? []), c]);
  return groups;
}

/** Whether the best size between the extremes beats both. */
function splitPays(e: Evidence, cells: Known[]): Finding {
  const sorted = [...cells].sort((a, b) => Number(a.at.group) - Number(b.at.group));
  if (sorted.length < 3) return missing('fewer than three group sizes were measured');
  const best = e.best(sorted.slice(1, -1))!;
  return together([sorted[0]!, sorted[sorted.length - 1]!].map((end) => e.compare([end, best], { least: 1 }, ['primitive', 'group'], '')), '');
}

/** A question: yes for some, no for all, or neither is resolved. */
function otherSplits(e: Evidence): Finding {
  const found = [...groupSizes(e)].map(([name, cells]) => ({ name, f: splitPays(e, cells) })).filter((r) => r.f.verdict !== 'unmeasured');
  if (found.length === 0) return missing('wake.groups was not measured');
  const named = (v: string) => found.filter((r) => r.f.verdict === v).map((r) => r.name);
  const [yes, no] = [named('holds'), named('fails')];
  if (yes.length > 0) return { verdict: 'holds', because: `splitting is resolved to pay for ${listed(yes)}, of ${found.length} tried` };
  if (no.length === found.length) return { verdict: 'holds', because: `no: for each of the ${found.length} tried one object for all or one for each is resolved to be better` };
  return { verdict: 'open', because: `for none of the ${found.length} tried is a size between the extremes resolved to be best; for ${no.length} one of the extremes is` };
}

// ---- operating system

/** The first metric that is a time. */
function timed(e: Evidence, experiment: string, where: Where = {}): Known[] {
  const cells = e.cells(experiment, undefined, where).filter((c) => c.unit === 'ns');
  return cells.filter((c) => c.metric === cells[0]?.metric);
}

const plainThrottle: Where = { variant: (v) => v === 'integer' || v === 'semaphore' || v === 'plain' };

function permits(e: Evidence): Known[] {
  const all = timed(e, 'throttle.sum', plainThrottle);
  return all.length > 0 ? all : timed(e, 'throttle.sum');
}

const unlimited = (cells: Known[]) => cells.find((c) => c.at.permits === 0);
const limited = (cells: Known[]) => cells.filter((c) => Number(c.at.permits) > 0);

function permitsOf(e: Evidence, a: number, b: number, bounds: { least?: number; most?: number }): Finding {
  const cells = permits(e);
  const at = (n: number) => cells.find((c) => c.at.permits === n);
  return e.compare(at(a) && at(b) ? [at(a)!, at(b)!] : null, bounds, ['permits'], `throttle.sum was not measured with ${a} and ${b} permits`);
}

function gain(e: Evidence, bounds: { least?: number; most?: number }): Finding {
  const cells = permits(e);
  const [free, best] = [unlimited(cells), e.best(limited(cells))];
  return e.compare(free && best ? [free, best] : null, bounds, ['permits'], 'throttle.sum was not measured with and without a limit');
}

/** What no limit costs against as many permits as cores, in one variant. */
function lossOf(e: Evidence, variant: string) {
  const cells = timed(e, 'throttle.sum', { variant });
  const [free, few] = [unlimited(cells), cells.find((c) => c.at.permits === e.cores)];
  return free && few ? pairedRatio(free, few) : null;
}

/** The loss of no limit is larger where the terms do not fit the private caches. */
function cachesLose(e: Evidence): Finding {
  const [memory, registers] = [lossOf(e, 'memory'), lossOf(e, 'integer')];
  if (!memory || !registers) return missing('throttle.sum was not measured with both variants, with and without a limit');
  const because = `no limit takes ${digits(memory.value)} times as long as ${e.cores} permits with terms in memory, ${digits(registers.value)} times with terms in registers`;
  if (!memory.ci || !registers.ci) return { verdict: 'open', because };
  const verdict = memory.ci[0] > Math.max(1, registers.ci[1]) ? 'holds' : memory.ci[1] < registers.ci[0] ? 'fails' : 'open';
  return { verdict, because };
}

function poolAlike(e: Evidence): Finding {
  const at = (variant: string) => timed(e, 'throttle.sum', { variant }).find((c) => c.at.permits === e.cores);
  const [pool, crowd] = [at('pool'), at('integer')];
  return e.compare(pool && crowd ? [pool, crowd] : null, { most: 1.05 }, ['variant'], 'throttle.sum was not measured with a pool of as many threads as cores');
}

const forked = (e: Evidence, experiment: string, metric: string, where: Where = {}) => e.cells(experiment, metric, where);

/** Each way of starting: the time a thread must have to do, against the delay until it does. */
function delayDecides(e: Evidence): Finding {
  const findings = forked(e, 'forkjoin.breakeven', 'per_thread').map((c) => {
    const delay = forked(e, 'forkjoin.breakeven', 'invocation_delay', { primitive: c.at.primitive!, threads: c.at.threads! })[0];
    const r = delay ? pairedRatio(c, delay) : null;
    if (!delay || !r) return missing('no invocation delay was measured');
    const because = `${String(c.at.primitive)}, ${String(c.at.threads)} threads: it pays from ${quantity(c.value, c.unit)} a thread on, the last starts after ${quantity(delay.value, delay.unit)}: ratio ${range(r)}`;
    return { verdict: within(r, { least: 1 }), because };
  });
  return together(findings, 'forkjoin.breakeven was not measured');
}

/** With the shortest work, and there more than with the longest. */
function cuttingGains(e: Evidence): Finding {
  const cells = forked(e, 'forkjoin.balance', 'gain');
  if (cells.length === 0) return missing('forkjoin.balance was not measured');
  const works = cells.map((c) => Number(c.at.work));
  const [shortest, longest] = [Math.min(...works), Math.max(...works)];
  return together(cells.filter((c) => c.at.work === shortest).flatMap((c) => {
    const because = `${String(c.at.primitive)}, ${String(c.at.threads)} threads: ${digits(c.value)} times as fast`;
    const gains: Finding = { verdict: !c.ci ? 'open' : c.ci[0] > 1 ? 'holds' : c.ci[1] < 1 ? 'fails' : 'open', because };
    const long = cells.find((o) => o.at.work === longest && o.at.primitive === c.at.primitive && o.at.threads === c.at.threads);
    return long && longest > shortest ? [gains, e.compare([c, long], { least: 1 }, ['primitive', 'threads', 'work'], '')] : [gains];
  }), '');
}

/** However it is spelt. */
const letters = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const call = (e: Evidence, name: string) => timed(e, 'overhead.calls', { call: (v) => letters(String(v)) === letters(name) })[0];
const cheap = ['EnterCriticalSection', 'LeaveCriticalSection', 'Interlocked Decrement', 'Interlocked Increment', 'Lock Spinlock', 'Unlock Spinlock'];
const noCalls = 'overhead.calls was not measured';

export const judges: Record<string, Judge> = {
  S1: acrossPackages,
  S2: (e) => together(remote(e).map((d) => e.compare(accesses(e, { operation: 'store', state: 'shared' }, { operation: 'store', state: 'modified' }, d), { least: 2 }, ['operation', 'state', 'distance'], 'stores to a shared line were not measured')), 'stores to a shared line were not measured'),
  S4: (e) => together(remote(e).map((d) => e.compare(accesses(e, { operation: 'cas', state: 'modified' }, { operation: 'load', state: 'modified' }, d), { most: 1.5 }, ['operation', 'distance'], 'both accesses were not measured at one distance')), 'accesses to a line held elsewhere were not measured'),
  S5: noneAlwaysBest,
  S20: alikeAtomics,
  S24: (e) => {
    const threads = e.fullTeam('locks.ticket', 3);
    return threads ? e.compare(e.pair('locks.ticket', 'latency', { lock: 'ticket_plain', threads }, { lock: 'ticket', threads }), { least: 1 }, ['lock', 'threads'], 'both locks were not measured') : missing('not measured with three threads or more that fit the processors');
  },
  S25: (e) => {
    const threads = e.fullTeam('locks.ticket', 3);
    return threads ? e.compare(e.pair('locks.ticket', 'latency', { lock: 'ticket', threads }, { lock: 'ticket_prefetch', threads }), { least: 1 }, ['lock', 'threads'], 'both locks were not measured') : missing('not measured with three threads or more that fit the processors');
  },
  S27: (e) => {
    const other = remote(e)[0];
    const fai = { operation: 'fai', state: 'modified' };
    const [a, b] = [other && e.cell(states, 'latency_cycles', { ...fai, distance: other }), e.cell(states, 'latency_cycles', { ...fai, distance: here })];
    return e.compare(a && b ? [a, b] : null, { least: 3 }, ['distance'], 'fetch-and-add was not measured on the own and on another core’s line');
  },
  S29: (e) => {
    const threads = e.fullTeam('atomics.throughput', 3);
    if (!threads) return missing('not measured with three threads or more that fit the processors');
    return together(['fai', 'cas', 'swap', 'tas'].map((operation) => e.compare(e.pair('atomics.throughput', 'throughput', { operation, threads: 2 }, { operation, threads }), { least: 1 / 1.5, most: 1.5 }, ['operation', 'threads'], 'not measured with two threads and more')), '');
  },
  S32: (e) => {
    const far = e.distances('locks.uncontested').filter((d) => d !== here).pop();
    const at = (distance: string) => e.cell('locks.uncontested', 'acquire', { lock: 'ticket', distance });
    const [a, b] = [far ? at(far) : undefined, at(here)];
    return e.compare(a && b ? [a, b] : null, { least: 5 }, ['distance'], 'the ticket lock was not measured at both distances');
  },
  S34: (e) => {
    const far = e.distances('locks.uncontested').filter((d) => d !== here).pop();
    const c = far ? e.cell('locks.uncontested', 'acquire_cycles', { lock: 'ticket', distance: far }) : undefined;
    if (!c) return missing('the ticket lock was not measured at a distance');
    return { verdict: within({ value: c.value, ci: c.ci, resolved: true }, { least: 250, most: 600 }), because: `${quantity(c.value, 'cycle')}${c.ci ? ` (${digits(c.ci[0])} to ${digits(c.ci[1])})` : ''}${modeWords(c)}` };
  },
  S36: (e) => e.compare(e.pair('locks.uncontested', 'pair', { lock: 'clh', distance: here }, { lock: 'ticket', distance: here }), { least: 1 }, ['lock'], 'ticket and CLH were not measured'),
  S37: (e) => bestAgainst(e, 2, 1, { locks: 1 }, { most: 1 }, 'one lock was not measured with one and two threads'),
  S39: (e) => {
    const threads = e.fullTeam(throughput, 3);
    return threads ? contest(e, queues, simple, { ...plainLocks(e), locks: 1, threads }, 1, 'these locks were not measured') : missing('not measured with three threads or more that fit the processors');
  },
  S40: (e) => {
    const many = e.cells(throughput, 'throughput', { locks: (v) => Number(v) >= 128 });
    const threads = e.fullTeam(throughput, 2, { locks: (v) => Number(v) >= 128 });
    return many.length > 0 && threads ? contest(e, simple, queues, { ...plainLocks(e), locks: many[0]!.at.locks!, threads }, 1, 'these locks were not measured') : missing('not measured with 128 locks or more');
  },
  S42: mutexNeverBest,
  S43: (e) => {
    const threads = Math.max(0, ...e.cells(throughput, 'throughput').map((c) => Number(c.at.threads)));
    if (e.processors === 0 || threads <= e.processors) return missing('not measured with more threads than processors');
    return contest(e, ['pthread/mutex'], ['tas', 'ticket'], { ...plainLocks(e), locks: 1, threads }, 1, 'these locks were not measured with so many threads');
  },
  S44: (e) => {
    const threads = e.fullTeam(throughput, 2, { locks: 4 });
    return threads ? bestAgainst(e, threads, 1, { locks: 4 }, { most: 1 }, 'not measured with one thread') : missing('not measured with 4 locks');
  },
  S45: (e) => messages(e, 'one_way', 1.5, 3),
  S46: (e) => messages(e, 'round_trip', 3, 6),
  S54: (e) => {
    const threads = e.fullTeam(throughput, 2, { placement: 'unpinned' });
    const at = (placement: string) => e.best(e.cells(throughput, 'throughput', { ...plainLocks(e), placement, threads: threads ?? 0, locks: 1 }));
    const [a, b] = [at('compact'), at('unpinned')];
    return e.compare(a && b ? [a, b] : null, { least: 2 }, ['lock', 'placement'], 'both placements were not measured');
  },

  E1: (e) => startOf(e, ['signal/handler'], 15_000, 140_000),
  E2: (e) => startOf(e, ['event', 'event/park', 'event/spin_park'], 11_000, 100_000),
  E3: callsSlower,
  E4: oneAfterAnother,
  E6: (e) => each(e, 'wake_last', { calls: 'each' }, { calls: 'one' }, { least: 1 }, () => true, 'no primitive was measured with one call and with a call for each'),
  E7: (e) => {
    const c = e.best(woken(e, 'spread', { primitive: isOneOf(meetings), threads: fits(e) }));
    if (!c) return missing('rendezvous was not measured');
    return { verdict: !c.ci ? 'open' : c.ci[1] < 1000 ? 'fails' : c.ci[0] > 1000 ? 'holds' : 'open', because: `${String(c.at.primitive)} starts ${String(c.at.threads)} threads within ${quantity(c.value, 'ns')} of each other` };
  },

  W1: fastestSpin,
  W2: heldSlowest,
  W3: laterWithMore,
  W4: aloneAlike,
  W5: (e) => each(e, 'wake_mean', { priority: 'raised' }, { priority: 'default' }, { least: 1 }, () => true, 'no raised priority was measured'),
  W6: mixedPinning,
  W7: firstServed,
  W8: mostEven,
  W9: (e) => {
    const at = (metric: string) => woken(e, metric, { primitive: 'pthread/cond', threads: 11 })[0];
    const [a, b] = [at('wake_last'), at('wake_first')];
    return e.compare(a && b ? [a, b] : null, { least: 2.5, most: 10 }, [], 'pthread/cond was not measured with 11 sleepers');
  },
  W10: fewFirst,
  W13: manyProcessors,
  W17: setUp,
  W11: (e) => {
    const groups = groupSizes(e, articleSleepers);
    const own = groups.get('event') ?? groups.get('event_group');
    return own ? splitPays(e, own) : missing('event was not measured');
  },
  W12: otherSplits,
  W14: (e) => {
    const counted = e.cells(wake, 'calls_per_wake').filter((c) => c.value > 0);
    const calls = [...new Set(counted.map((c) => String(c.at.call ?? '')))].filter((n) => n !== '');
    const primitives = new Set(counted.map((c) => c.at.primitive));
    return calls.length > 0 ? { verdict: 'holds', because: `${primitives.size} primitives make system calls as they wait: ${listed(calls.slice(0, 6))}${calls.length > 6 ? ` and ${calls.length - 6} more` : ''}` } : missing('system calls were not counted');
  },
  W16: (e) => {
    const names = new Set(e.cells(wake, 'wake_mean').map((c) => c.at.primitive));
    return names.size > 0 && !/windows/i.test(e.system) ? { verdict: 'holds', because: `${names.size} primitives were measured on ${e.system || 'this system'}` } : missing('wake.broadcast was not measured on Linux');
  },

  T1: (e) => {
    const best = e.best(limited(permits(e)));
    if (!best || e.cores === 0) return missing('throttle.sum was not measured');
    if (best.at.permits === e.cores) return { verdict: 'holds', because: `best with ${String(best.at.permits)} permits on ${e.cores} cores` };
    const f = permitsOf(e, e.cores, Number(best.at.permits), { most: 1 });
    return f.verdict === 'unmeasured' ? f : { verdict: f.verdict === 'fails' ? 'fails' : 'open', because: `best with ${String(best.at.permits)} permits; ${f.because}` };
  },
  T2: (e) => (e.cores === 0 ? missing('the number of cores is not known') : together([permitsOf(e, 2 * e.cores, e.cores, { least: 1 }), permitsOf(e, 64, 2 * e.cores, { most: 1.05 })], '')),
  T3: (e) => gain(e, { least: 1.05 }),
  T6: (e) => gain(e, { most: 1.05 }),

  T4: cachesLose,
  T5: poolAlike,
  E5: delayDecides,
  E8: cuttingGains,

  B1: (e) => {
    const dearest = e.worst(cheap.map((n) => call(e, n)).filter((c): c is Known => c !== undefined));
    if (!dearest) return missing(noCalls);
    const below: Finding = { verdict: !dearest.ci ? 'open' : dearest.ci[1] < 1000 ? 'holds' : dearest.ci[0] > 1000 ? 'fails' : 'open', because: `the dearest is ${String(dearest.at.call)} with ${quantity(dearest.value, 'ns')}` };
    const entering = e.best(timed(e, 'overhead.calls').filter((c) => !cheap.map(letters).includes(letters(String(c.at.call)))));
    return together([below, e.compare(entering ? [entering, dearest] : null, { least: 5 }, ['call'], noCalls)], '');
  },
  B2: (e) => {
    const [a, b] = [call(e, 'WaitForMultipleObjects'), call(e, 'WaitForSingleObject')];
    return e.compare(a && b ? [a, b] : null, { least: 0.8, most: 1.25 }, ['call'], noCalls);
  },
  B3: (e) => {
    const dear = call(e, 'Waiting for Semaphore');
    const rest = e.worst(timed(e, 'overhead.calls').filter((c) => letters(String(c.at.call)) !== letters('Waiting for Semaphore')));
    return e.compare(dear && rest ? [dear, rest] : null, { least: 1 }, ['call'], noCalls);
  },
  B4: (e) => {
    const event = (primitive: string) => timed(e, 'overhead.calls', { call: 'SetEvent', primitive })[0];
    const [built, native] = [event('pthread/cond_event'), event('event') ?? event('linux/eventfd')];
    return e.compare(built && native ? [built, native] : null, { least: 2 }, ['primitive'], noCalls);
  },
};

function messages(e: Evidence, metric: string, least: number, most: number): Finding {
  const transfers = e.cells(states, 'latency', { operation: 'load', state: 'modified' }).filter((c) => c.at.distance !== here);
  const findings = transfers.map((t) => {
    const m = e.cells('messages.pair', metric, { distance: t.at.distance! })[0];
    return e.compare(m ? [m, t] : null, { least, most }, ['distance'], 'messages.pair was not measured');
  });
  return together(findings, 'messages.pair was not measured');
}
