// Names from the results in the words of people. A name that is not listed is told as it is, without underscores.

import { quantity, tick } from './numbers';
import type { Coordinate } from './data';

const axes: Record<string, string> = {
  threads: 'threads',
  lock: 'lock',
  locks: 'number of locks',
  operation: 'operation',
  state: 'state of the line',
  distance: 'distance between the processors',
  protocol: 'protocol',
  from: 'from processor',
  to: 'to processor',
  home: 'memory page homed at',
  level: 'served by',
  placement: 'placement of the threads',
  hold: 'work inside the lock (cycles)',
  gap: 'work between operations (cycles)',
  sample: 'how many triggers',
  readers: 'share of readers (%)',
  mode: 'mode of the virtual processors',
  primitive: 'primitive',
  group: 'sleepers per object',
  order: 'order of waking',
  thread: 'thread',
  idle: 'time asleep before',
  work: 'work, in the time of one thread',
  slept: 'time asleep before',
  permits: 'threads admitted at a time',
  call: 'call',
  clients: 'clients',
  message: 'message size',
  buckets: 'buckets',
  load: 'elements in each bucket',
  elements: 'elements',
  implementation: 'implementation',
  variant: 'variant',
  sharers: 'sharers',
  priority: 'priority',
  calls: 'calls per trigger',
  phase: 'phase',
  system: 'system',
  machine: 'machine',
};

const values: Record<string, Record<string, string>> = {
  distance: {
    same_cpu: 'same processor',
    same_core: 'same core',
    same_cluster: 'same cluster',
    same_cache: 'same cache',
    same_die: 'same die',
    same_mcm: 'same module',
    same_package: 'same package',
    same_package_other_node: 'same package, other node',
    other_package: 'other package',
    other_core: 'other core',
    one_hop: 'one hop',
    two_hops: 'two hops',
    max_hops: 'farthest',
  },
  level: { l1: 'L1 cache', l2: 'L2 cache', l3: 'L3 cache', llc: 'last-level cache', ram: 'main memory' },
  operation: {
    load: 'load',
    store: 'store',
    cas: 'compare-and-swap',
    fai: 'fetch-and-add',
    tas: 'test-and-set',
    swap: 'swap',
    cas_fai: 'fetch-and-add by CAS',
  },
  permits: { '0': 'no limit' },
  protocol: { cas: 'compare-and-swap', handover: 'store and load', oneway: 'one way', saturated: 'without a pause', paused: 'with the paper’s pause' },
};

const metrics: Record<string, string> = {
  latency: 'latency',
  latency_cycles: 'latency in cycles',
  throughput: 'throughput',
  successes: 'successful operations',
  attempts: 'attempts, successful or not',
  handoff_time: 'time until it passes to another thread',
  ceiling: 'what the pause allows',
  handoff_share: 'share handed to another thread',
  acquire_latency: 'time to acquire',
  fairness: 'fairness',
  longest_wait: 'longest wait',
  acquire: 'time to acquire',
  acquire_cycles: 'time to acquire in cycles',
  release: 'time to release',
  release_cycles: 'time to release in cycles',
  pair: 'acquire and release',
  pair_cycles: 'acquire and release in cycles',
  wake_mean: 'wake time, mean of the sleepers',
  wake_first: 'wake time of the first',
  wake_last: 'wake time of the last',
  spread: 'from the first start to the last',
  gap: 'smallest gap between two starts',
  trigger: 'time of the trigger itself',
  wake_of_thread: 'wake time',
  wake_of_order: 'wake time',
  cpu_time: 'processor time of a sleeper',
  cpu_share: 'share of the wait that burns a processor',
  calls_per_trigger: 'system calls for a trigger',
  calls_per_wake: 'system calls for a wake',
  switches: 'context switches of a sleeper',
  one_way: 'one way',
  one_way_cycles: 'one way, in cycles',
  round_trip: 'there and back',
  round_trip_cycles: 'there and back, in cycles',
  invocation_delay: 'invocation delay',
  best_group: 'best size, by the mean',
  best_group_last: 'best size, by the last',
  predicted_group: 'predicted best size',
};

const orders: Record<string, string[]> = {
  distance: [...Object.keys(values.distance!)],
  level: Object.keys(values.level!),
  operation: Object.keys(values.operation!),
  state: ['modified', 'owned', 'exclusive', 'forward', 'shared', 'invalid'],
};

const plainAxes = new Set(['state', 'operation', 'level', 'distance', 'protocol', 'mode', 'placement', 'home', 'phase']);
/** Axes whose numbers are nanoseconds. */
const times = new Set(['idle', 'work']);
/** Axes that count something: the word for one of them. */
const counts: Record<string, string> = { threads: 'thread', locks: 'lock', buckets: 'bucket', clients: 'client' };
const plain = (name: string) => name.replace(/_/g, ' ');

export const axisTitle = (axis: string): string => (Object.hasOwn(axes, axis) ? axes[axis]! : plain(axis));
export const metricTitle = (metric: string): string => (Object.hasOwn(metrics, metric) ? metrics[metric]! : plain(metric));

export function valueTitle(axis: string, value: Coordinate): string {
  const known = Object.hasOwn(values, axis) ? values[axis]! : {};
  if (Object.hasOwn(known, String(value))) return known[String(value)]!;
  if (plainAxes.has(axis)) return plain(String(value));
  if (times.has(axis) && typeof value === 'number') return quantity(value, 'ns');
  // Names of locks and the like are what one types on the command line: they stay as they are.
  return String(value);
}

/** A number with what it counts: "12 buckets", "1 thread"; other values as they are. */
export function counted(axis: string, value: Coordinate): string {
  const title = valueTitle(axis, value);
  if (axis === 'load') return `${title} in each`;
  const one = Object.hasOwn(counts, axis) ? counts[axis]! : null;
  return one === null ? title : `${title} ${one}${value === 1 ? '' : 's'}`;
}

/** At a tick of an axis. */
export const axisNumber = (axis: string, value: number): string => (times.has(axis) ? quantity(value, 'ns') : tick(value));

/** Of an axis whose values are names that one types, which stay as they are. */
const namedAxes = new Set(['lock', 'primitive', 'channel', 'implementation', 'call']);
export const choiceTitle = (axis: string, title: string): string => (namedAxes.has(axis) ? title : sentence(title));

/** Where a value stands among its kind, for sorting; unknown ones come last, in the order met. */
export function rank(axis: string, value: Coordinate): number {
  const at = Object.hasOwn(orders, axis) ? orders[axis]!.indexOf(String(value)) : -1;
  return at < 0 ? Number.MAX_SAFE_INTEGER : at;
}

/** The value of a ratio that means neither gain nor loss: bars begin there. */
export const neutralOf = (metric: string): number | null => (['gain', 'ratio', 'speedup'].includes(metric) ? 1 : null);

export function directionWords(better: string): string {
  return better === 'higher' ? 'higher is better' : better === 'lower' ? 'lower is better' : '';
}

/** "2 of 6 values are", "1 of 6 values was", "The value is" */
export const someAre = (some: number, all: number, [one, several] = ['is', 'are']): string =>
  all === 1 ? `The value ${one}` : `${some} of ${all} values ${some === 1 ? one : several}`;

/** What makes a value unreliable. */
export const unreliableWords = (values: number): string =>
  `half the width of ${values === 1 ? 'its 95 % interval' : 'their 95 % intervals'} is 10 % of the value or more, or there is none`;

export const flagWords: Record<string, string> = {
  ok: 'sure: half the width of its 95 % interval is less than 5 % of the value',
  noisy: 'noisy: half the width of its 95 % interval is 5 % of the value or more',
  unreliable: `unreliable: ${unreliableWords(1)}`,
  clock_limited: 'shorter than the clock can resolve',
  emulated: 'from an emulator: it says nothing about any processor',
};

export const sentence = (s: string): string => (s === '' ? s : s[0]!.toUpperCase() + s.slice(1));

/** "1 processor", "2 processors" */
export const plural = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`;

/** "a, b and c" */
export function listed(names: string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]!}`;
}

/** "0 and 1", "0, 1 and 6 more". */
export function membersWords(members: number[]): string {
  return members.length > 4 ? `${members.slice(0, 2).join(', ')} and ${members.length - 2} more` : listed(members.map(String));
}
