// Which experiment shows which charts. A new experiment adds a declaration here, and nothing else; without one it gets
// a chart that suits its axes.

import type { Cell } from './reading';
import { axesOf, valuesOf, type Shape } from './view';
import { axisTitle, sentence } from './words';

export type Kind =
  | { kind: 'heat'; x: string; y: string }
  | { kind: 'lines'; x: string; series: string[]; ideal?: boolean; ordinal?: boolean; names?: Record<string, string> }
  /** `compare`: all metrics side by side, and what they have in common. */
  | { kind: 'bars'; x: string; series: string[]; stacked?: boolean; compare?: string }
  | { kind: 'best'; contestants: string; groups: string[]; unit: string; paper?: number[] }
  | { kind: 'box'; x: string; series: string[] }
  | { kind: 'ecdf'; x: string; series: string[] }
  | { kind: 'gantt'; row: string; moments: string[]; phases: string[]; delay?: string; parallel?: [string, string, string] }
  | { kind: 'paper'; rows: string[]; column: string; caption: string };

export interface Figure {
  experiment: string;
  /** Tells apart the figures of one experiment. */
  id: string;
  title: string;
  /** For somebody who meets this for the first time. */
  lead: string;
  /** The figures of the paper on synchronization that show the same. */
  like?: string;
  chart: Kind;
  metrics?: string[];
  derived?: string[];
  /** Each machine has axes of its own from the beginning: their work is not the same. */
  own?: boolean;
  prefer?: Shape['prefer'];
  /** Drawn only where it shows something: e.g. more than one thread. */
  unless?: (cells: Cell[]) => boolean;
}

const lonely = (axis: string) => (cells: Cell[]) => valuesOf(cells, axis).length < 2;

const ticketLocks = {
  ticket_plain: 'ticket_plain (no back-off)',
  ticket: 'ticket (the library’s back-off)',
  ticket_prefetch: 'ticket_prefetch (the library’s back-off, prefetching)',
  ticket_paper: 'ticket_paper (the paper’s back-off)',
  ticket_paper_prefetch: 'ticket_paper_prefetch (the paper’s back-off, prefetching)',
};

const wakeMetrics = ['wake_mean', 'wake_first', 'wake_last', 'spread', 'gap', 'trigger', 'cpu_time', 'cpu_share', 'switches'];
const underneath = ['calls_per_trigger', 'calls_per_wake'];

const ssync = 'In cycles of each machine’s own clock. The paper: David, Guerraoui, Trigonakis, “Everything You Always Wanted to Know About Synchronization but Were Afraid to Ask”, SOSP 2013.';
const bogner = 'The paper: Bogner, Schütz, Wiesinger, “Retrieving the Performance Overhead of Synchronization Mechanisms of Various Popular Operating Systems”, Table 1; its 1 µs means 1 µs or less.';

const semaphoreThrottle = 'The article: “Semaphore throttle”, with the logs of its author and of three readers.';

export const figures: Figure[] = [
  {
    experiment: 'coherence.pairs', id: 'map', title: 'How far apart the processors are',
    lead: 'Memory travels between processors in lines of usually 64 bytes. Each field is the time that one line takes from the processor of its row to that of its column: near ones share a cache, far ones sit in other packages.',
    chart: { kind: 'heat', x: 'to', y: 'from' },
  },
  {
    experiment: 'coherence.local', id: 'levels', title: 'What a read costs, by where the value lies',
    lead: 'A processor looks in its own small caches first, then in the one it shares, and last in main memory. Each step is several times slower than the one before.',
    chart: { kind: 'bars', x: 'level', series: [] }, prefer: { page: '4k' },
  },
  {
    experiment: 'coherence.local', id: 'paper', title: 'Beside Table 3 of the paper',
    lead: 'Cycles for a load from each level, here and on the four machines of the paper.',
    chart: { kind: 'paper', rows: ['level'], column: '', caption: ssync }, metrics: ['latency_cycles'],
  },
  {
    experiment: 'coherence.states', id: 'operations', title: 'What one access to a shared line costs',
    lead: 'The cost depends on what the caches know about the line (its state) and on how far away its holder is. An atomic operation must own the line alone, as a store must.',
    chart: { kind: 'bars', x: 'operation', series: ['distance'] }, derived: ['event'], prefer: { state: 'modified', home: 'requester' },
  },
  {
    experiment: 'coherence.states', id: 'paper', title: 'Beside Table 2 of the paper',
    lead: 'Cycles of one access by operation, state of the line and distance to its holder, here and on the four machines of the paper.',
    chart: { kind: 'paper', rows: ['operation', 'state'], column: 'distance', caption: ssync }, metrics: ['latency_cycles'], derived: ['event'], prefer: { home: 'requester' },
  },
  {
    experiment: 'atomics.throughput', id: 'threads', title: 'Many threads, one counter',
    lead: 'All threads change the same location. If sharing were free, the lines would follow the dotted ideal; in fact the line has to travel, and mostly only one thread works at a time.',
    like: 'Fig. 4',
    chart: { kind: 'lines', x: 'threads', series: ['operation'], ideal: true }, metrics: ['successes', 'hand_over', 'hand_off', 'fairness', 'attempts', 'ceiling', 'bound'], prefer: { placement: 'compact', protocol: 'saturated' },
  },
  {
    experiment: 'locks.uncontested', id: 'distance', title: 'A lock that nobody else wants',
    lead: 'The time to take and give back a free lock, by how far away its last holder was. The lock’s memory must first be fetched from there.',
    like: 'Fig. 6',
    chart: { kind: 'bars', x: 'lock', series: ['distance'] }, metrics: ['pair', 'acquire', 'release', 'pair_cycles', 'acquire_cycles', 'release_cycles', 'latency', 'latency_cycles'],
  },
  {
    experiment: 'locks.ticket', id: 'threads', title: 'The ticket lock and its waiting',
    lead: 'Threads take a number and wait until it is called. Waiters that look less often (back-off in proportion to their place in the queue) leave the line to those who work. The paper’s own locks rest longer for each place than the library’s; they are there on simulated machines only.',
    like: 'Fig. 3: ticket_plain and the paper’s two',
    chart: { kind: 'lines', x: 'threads', series: ['lock'], names: ticketLocks }, prefer: { placement: 'compact', protocol: 'paused' },
  },
  {
    experiment: 'locks.throughput', id: 'threads', title: 'Locks under pressure',
    lead: 'Each thread takes a lock, changes the line it protects and gives it back, over and over. More threads rarely mean more work done: the lock has to travel between them.',
    like: 'Fig. 5 (one lock) and Fig. 7 (512 locks)',
    chart: { kind: 'lines', x: 'threads', series: ['lock'], ideal: true }, prefer: { placement: 'compact', protocol: 'saturated', locks: 1, hold: 0, gap: 0, readers: 0 }, unless: lonely('threads'),
  },
  {
    experiment: 'locks.throughput', id: 'ranking', title: 'Which lock passes on soonest',
    lead: 'The time after which the lock passes to another thread, best first. A lock that one thread keeps is taken often, but the others wait: look at both.',
    chart: { kind: 'bars', x: 'lock', series: [] }, metrics: ['hand_over', 'throughput', 'hand_off', 'fairness', 'acquire_latency', 'longest_wait'], prefer: { placement: 'compact', protocol: 'saturated', locks: 1, hold: 0, gap: 0, readers: 0 },
  },
  {
    experiment: 'locks.throughput', id: 'best', title: 'The best lock, and how it scales',
    lead: 'For each number of locks and threads: which lock did most, and how many times the work of a single thread that is.',
    like: 'Fig. 8 (4, 16, 32 and 128 locks)',
    chart: { kind: 'best', contestants: 'lock', groups: ['locks', 'threads'], unit: 'threads', paper: [4, 16, 32, 128] }, metrics: ['throughput'], prefer: { placement: 'compact', protocol: 'saturated', hold: 0, gap: 0, readers: 0 },
  },
  {
    experiment: 'messages.pair', id: 'distance', title: 'A message instead of a lock',
    lead: 'One thread writes a message into a line, another waits for it: one way, and there and back, by distance.',
    like: 'Fig. 9',
    chart: { kind: 'bars', x: 'distance', series: ['channel'] },
  },
  {
    experiment: 'messages.server', id: 'clients', title: 'One server, many clients',
    lead: 'Clients send requests to one thread that does all the work. The server is busy when the line stops rising.',
    like: 'Fig. 10',
    chart: { kind: 'lines', x: 'clients', series: ['channel', 'message'] },
  },
  {
    experiment: 'hashtable.throughput', id: 'threads', title: 'A hash table under each lock',
    lead: 'Gets, puts and removes on a table with one lock for each bucket, or with servers that own the buckets.',
    chart: { kind: 'lines', x: 'threads', series: ['lock'], ideal: true }, unless: lonely('threads'),
  },
  {
    experiment: 'hashtable.throughput', id: 'best', title: 'The best way to guard the hash table',
    lead: 'For each table and number of threads: what did most, and how many times the work of a single thread that is.',
    like: 'Fig. 11',
    chart: { kind: 'best', contestants: 'lock', groups: ['buckets', 'elements', 'threads'], unit: 'threads' },
  },
  ...['stm.bank', 'stm.list', 'stm.hashtable'].map((experiment): Figure => ({
    experiment, id: 'threads', title: `Transactions: ${experiment.slice(4)}`,
    lead: 'Whole groups of reads and writes that happen together or not at all.',
    chart: { kind: 'lines', x: 'threads', series: ['implementation'], ideal: true },
  })),
  ...['memcached.set', 'memcached.get'].map((experiment): Figure => ({
    experiment, id: 'locks', title: `memcached: ${experiment.slice(10)}`,
    lead: 'A real server under a real load, its mutexes replaced by each lock.',
    chart: { kind: 'bars', x: 'lock', series: [] },
  })),
  {
    experiment: 'wake.broadcast', id: 'primitives', title: 'Waking sleepers',
    lead: 'One thread wakes many. The wake time runs from just before the call to the sleeper’s first instruction after its wait.',
    chart: { kind: 'bars', x: 'primitive', series: [] }, metrics: wakeMetrics,
  },
  {
    experiment: 'wake.broadcast', id: 'threads', title: 'More sleepers, later waking',
    lead: 'The same by the number of threads to be woken.',
    chart: { kind: 'lines', x: 'threads', series: ['primitive'] }, metrics: wakeMetrics, unless: lonely('threads'),
  },
  {
    experiment: 'wake.broadcast', id: 'order', title: 'From the first woken to the last',
    lead: 'Sleepers wake one after another. The slope is what each further one waits.',
    chart: { kind: 'lines', x: 'order', series: ['primitive'] }, metrics: ['wake_of_order'], unless: lonely('order'),
  },
  {
    experiment: 'wake.broadcast', id: 'thread', title: 'Who is woken first',
    lead: 'Wake time by the number of the thread: a slope means that some threads are always served first.',
    chart: { kind: 'lines', x: 'thread', series: ['primitive'] }, metrics: ['wake_of_thread'], unless: lonely('thread'),
  },
  {
    experiment: 'wake.broadcast', id: 'underneath', title: 'What happens underneath',
    lead: 'The calls of the operating system that a trigger makes, and those in which a sleeper waits, counted for each trigger and each wake.',
    chart: { kind: 'bars', x: 'primitive', series: ['call'], stacked: true }, metrics: underneath,
  },
  {
    experiment: 'wake.groups', id: 'size', title: 'How many sleepers to an object',
    lead: 'One object for all is woken by one call, one object each by many calls. The lowest point is the best size; what a call and a wake cost decides whether it lies between.',
    chart: { kind: 'lines', x: 'group', series: ['primitive'] }, metrics: ['wake_mean', 'wake_last', 'trigger'],
  },
  {
    experiment: 'wake.groups', id: 'best', title: 'The best size of a group',
    lead: 'As measured, by the mean wake time and by that of the last sleeper, and as predicted from what a call, a thread and a wake cost here.',
    chart: { kind: 'bars', x: 'primitive', series: [], compare: 'sleepers per object' }, metrics: ['best_group', 'predicted_group', 'best_group_last'],
  },
  {
    experiment: 'wake.groups', id: 'gain', title: 'What the best size gains',
    lead: 'The mean wake time with one object for all or one for each, whichever is less, divided by that with the best size. At 1 splitting gains nothing.',
    chart: { kind: 'bars', x: 'primitive', series: [] }, metrics: ['gain'],
  },
  {
    experiment: 'wake.idle', id: 'slept', title: 'The longer it slept, the later it wakes',
    lead: 'A processor without work saves energy in deeper and deeper steps, and takes longer to come back.',
    chart: { kind: 'lines', x: 'idle', series: ['distance', 'primitive'], ordinal: true },
  },
  {
    experiment: 'overhead.calls', id: 'calls', title: 'What the calls of the operating system cost',
    lead: 'The thirteen rows of the paper’s Table 1, each by the flow it describes.',
    chart: { kind: 'bars', x: 'call', series: ['primitive'] },
  },
  {
    experiment: 'overhead.calls', id: 'paper', title: 'Beside Table 1 of the paper',
    lead: 'The same rows here and on the three systems of the paper.',
    chart: { kind: 'paper', rows: ['call', 'primitive'], column: '', caption: bogner },
  },
  {
    experiment: 'throttle.sum', id: 'permits', title: 'Letting fewer threads in at a time',
    lead: 'Many threads do the same work, and a semaphore admits only some of them at once. The lowest point is the best number.',
    chart: { kind: 'lines', x: 'permits', series: ['variant'], ordinal: true }, metrics: ['time'], own: true,
  },
  {
    experiment: 'throttle.sum', id: 'paper', title: 'Beside the logs of the article',
    lead: 'The same here and on the four machines of the article. It is other work, so compare the shapes and not the times.',
    chart: { kind: 'paper', rows: ['permits'], column: '', caption: semaphoreThrottle }, metrics: ['time'],
  },
  {
    experiment: 'forkjoin.timeline', id: 'timeline', title: 'Who ran when',
    lead: 'From the first trigger to the last worker: threads start one after another. Where the band is, two or more truly ran at the same moment; on too few processors bars overlap and there is little of that.',
    chart: { kind: 'gantt', row: 'thread', moments: ['trigger', 'wake', 'done'], phases: ['on its way', 'working'], delay: 'invocation_delay', parallel: ['parallel_begin', 'parallel_end', 'parallel'] }, prefer: { primitive: 'event' },
  },
  {
    experiment: 'forkjoin.breakeven', id: 'starts', title: 'From when on splitting the work pays',
    lead: 'The smallest sequential time for which starting the workers is worth it.',
    chart: { kind: 'bars', x: 'primitive', series: ['threads'] },
  },
  {
    experiment: 'forkjoin.balance', id: 'starts', title: 'Less work for those who start late',
    lead: 'The same work in equal shares, and in shares cut to each thread’s lag.',
    chart: { kind: 'bars', x: 'primitive', series: ['threads'] },
  },
];

const numeric = (cells: Cell[], axis: string) => valuesOf(cells, axis).every((v) => typeof v === 'number');

/** A chart for what nobody has declared. */
export function standard(experiment: string, cells: Cell[]): Figure {
  const varying = axesOf(cells).filter((a) => a !== 'mode' && valuesOf(cells, a).length > 1);
  const words = varying.filter((a) => !numeric(cells, a));
  const numbers = varying.filter((a) => numeric(cells, a));
  const size = (a: string) => valuesOf(cells, a).length;
  const largest = (axes: string[]) => axes.reduce<string | undefined>((best, a) => (best === undefined || size(a) > size(best) ? a : best), undefined);
  const base = { experiment, id: 'values', lead: '' };
  const by = (a: string | undefined) => (a ? `By ${axisTitle(a)}` : sentence('all values'));
  if (numbers.includes('from') && numbers.includes('to')) return { ...base, title: by('from'), chart: { kind: 'heat', x: 'to', y: 'from' } };
  const long = largest(numbers.filter((a) => size(a) > 2)) ?? numbers.find((a) => a === 'threads');
  const series = largest(words);
  if (long) return { ...base, title: by(long), chart: { kind: 'lines', x: long, series: series ? [series] : [] } };
  const x = largest(varying) ?? axesOf(cells)[0];
  const second = largest(varying.filter((a) => a !== x && size(a) <= 8));
  return { ...base, title: by(x), chart: { kind: 'bars', x: x ?? 'experiment', series: second ? [second] : [] } };
}

/** The axes that must be there for a figure to make sense. */
function needs(f: Figure): string[] {
  const c = f.chart;
  if (c.kind === 'heat') return [c.x, c.y];
  if (c.kind === 'best') return [c.contestants];
  if (c.kind === 'gantt') return [c.row];
  return c.kind === 'paper' ? c.rows.slice(0, 1) : [c.x];
}

/** A line through one point is none. */
function barsForOne(f: Figure, cells: Cell[]): Figure {
  const c = f.chart;
  if (c.kind !== 'lines' || valuesOf(cells, c.x).length > 1 || c.series.length === 0) return f;
  return { ...f, chart: { kind: 'bars', x: c.series[0]!, series: [...c.series.slice(1), c.x] } };
}

/** The figures for these cells of one experiment. */
export function figuresOf(experiment: string, cells: Cell[]): Figure[] {
  const axes = new Set(axesOf(cells));
  const suited = figures.filter((f) => {
    if (f.experiment !== experiment || !needs(f).every((a) => axes.has(a))) return false;
    return !f.unless?.(cells) && (!f.metrics || cells.some((c) => f.metrics!.includes(c.metric)));
  });
  return suited.length > 0 ? suited.map((f) => barsForOne(f, cells)) : [standard(experiment, cells)];
}

export function shapeOf(f: Figure): Shape {
  const c = f.chart;
  const rest = { metrics: f.metrics, derived: f.derived, prefer: f.prefer };
  if (c.kind === 'heat') return { ...rest, x: c.x, series: [c.y] };
  if (c.kind === 'best') return { ...rest, series: [c.contestants, ...c.groups] };
  if (c.kind === 'gantt') return { ...rest, x: c.row, together: true, metrics: [...c.moments, ...(c.delay ? [c.delay] : []), ...(c.parallel ?? [])] };
  if (c.kind === 'paper') return { ...rest, series: [...c.rows, c.column] };
  return { ...rest, x: c.x, series: c.series, together: c.kind === 'bars' && c.compare !== undefined };
}

const families: Record<string, string> = {
  coherence: 'Cache coherence', atomics: 'Atomic operations', locks: 'Locks', messages: 'Messages', hashtable: 'Hash table',
  stm: 'Transactional memory', memcached: 'memcached', wake: 'Waking threads', overhead: 'Calls of the operating system',
  throttle: 'Throttling', forkjoin: 'Fork and join',
};

export const familyOf = (experiment: string): string => experiment.split('.')[0] ?? experiment;
export const familyTitle = (family: string): string => (Object.hasOwn(families, family) ? families[family]! : sentence(family.replace(/_/g, ' ')));
export const familyOrder = (family: string): number => {
  const at = Object.keys(families).indexOf(family);
  return at < 0 ? 99 : at;
};
