// Documents for the tests: sound ones of every experiment, and such as go wrong.

export function cell(experiment, at, metric, unit, value, more = {}) {
  const half = more.half ?? 0.02;
  const samples = value === null ? [] : Array.from({ length: 11 }, (_, i) => value * (1 + (half * (i - 5)) / 5));
  return {
    experiment, at, metric, unit, better: more.better ?? (unit === 'op/s' ? 'higher' : 'lower'), value,
    ci: value === null ? null : [value * (1 - half), value * (1 + half)], n: samples.length,
    flag: more.flag ?? (half >= 0.1 ? 'unreliable' : half >= 0.05 ? 'noisy' : 'ok'), reason: more.reason ?? null, samples, quantiles: {}, noise: {},
    valid: more.valid ?? true,
  };
}

/** Two threads a core, eight cores a die, two dies a package. */
export function topology(n) {
  const cpus = Array.from({ length: n }, (_, cpu) => {
    const core = Math.floor(cpu / 2);
    return { cpu, core, smt: cpu % 2, cluster: core, cache: Math.floor(core / 8), die: Math.floor(core / 8), package: Math.floor(core / 16),
      node: Math.floor(core / 16), class: null };
  });
  return { source: 'synthetic', cpus, caches: [{ level: 1, bytes: 32768, line_bytes: 64, sharers: 2, count: Math.ceil(n / 2) }], distances: [] };
}

export function document(cells, more = {}) {
  return {
    schema: 'synchroscope/1', complete: more.complete ?? true, id: '00000000-0000-4000-8000-000000000000', label: more.label ?? null,
    tool: { version: '0.1.0', git: null, compiler: 'GNU 12.2.0', flags: '-O3', libc: 'glibc' },
    invocation: { argv: ['synchroscope', 'run'], seed: 1, started: '2026-01-02T03:04:05Z', wall_s: 12 },
    machine: { kind: more.kind ?? 'hardware', model_name: more.model ?? 'Test CPU 9000' },
    topology: topology(more.cpus ?? 4), os: { name: 'Test OS', kernel: '6.1' }, clock: { source: 'tsc', hz: 2e9 },
    warnings: more.warnings ?? [{ id: 'virtual_machine', evidence: { virtualization: 'kvm' }, advice: 'This is a virtual machine: numbers may move.' }],
    cells,
  };
}

export function pairs(n, value = (a, b) => 20 + 30 * (a >> 1 !== b >> 1) + 50 * (a >> 4 !== b >> 4) + 120 * (a >> 5 !== b >> 5)) {
  const cells = [];
  for (let from = 0; from < n; ++from)
    for (let to = 0; to < n; ++to)
      if (from !== to) cells.push(cell('coherence.pairs', { protocol: 'cas', from, to }, 'latency', 'ns', value(from, to)));
  return cells;
}

const locks = ['tas', 'ttas', 'ticket', 'ticket_prefetch/yield', 'mcs', 'clh', 'std/mutex', 'pthread/mutex_adaptive', 'hticket', 'tbb/queuing_mutex',
  'mutex', 'array'];
const threads = [1, 2, 4, 8, 16];

/** Cells for every kind of chart, also of experiments that are yet to come. */
export function everything() {
  const cells = pairs(4);
  for (const [i, level] of ['l1', 'l2', 'llc', 'ram'].entries())
    cells.push(cell('coherence.local', { level }, 'latency', 'ns', 1.1 * 5 ** i), cell('coherence.local', { level }, 'latency_cycles', 'cycle', 4 * 5 ** i));
  for (const [o, operation] of ['load', 'store', 'cas', 'fai'].entries())
    for (const [s, state] of ['modified', 'shared'].entries())
      for (const [d, distance] of ['same_core', 'same_cache', 'other_package'].entries())
        cells.push(cell('coherence.states', { operation, state, distance, home: 'requester', event: `${operation}_on_${state}` }, 'latency_cycles',
          'cycle', 40 + 10 * o + 5 * s + 100 * d));
  for (const t of threads) for (const [i, operation] of ['fai', 'swap', 'cas'].entries())
    cells.push(cell('atomics.throughput', { operation, threads: t, protocol: 'saturated', placement: 'compact' }, 'successes', 'op/s', t === 1 ? 1.5e8
      : 2e7 / (i + 1)));
  for (const [i, lock] of locks.entries()) {
    for (const [d, distance] of ['same_cpu', 'same_cache', 'other_package'].entries())
      cells.push(cell('locks.uncontested', { lock, distance }, 'pair', 'ns', 10 + i + 80 * d));
    for (const t of threads) for (const count of [1, 16])
      cells.push(cell('locks.throughput', { lock, locks: count, threads: t, protocol: 'saturated', placement: 'compact' }, 'throughput', 'op/s',
        (3e7 * Math.sqrt(count)) / (t + i)));
  }
  for (const lock of ['ticket', 'ticket_plain']) for (const t of threads) cells.push(cell('locks.ticket', { lock, threads: t }, 'latency', 'ns',
    30 * t * (lock === 'ticket' ? 1 : 2)));
  for (const distance of ['same_core', 'same_cache']) for (const metric of ['one_way', 'round_trip']) cells.push(cell('messages.pair',
    { distance, channel: 'line' }, metric, 'ns', 100));
  for (const clients of [1, 2, 4, 8]) cells.push(cell('messages.server', { clients, channel: 'line', message: 'word' }, 'throughput', 'op/s', 1e6 * clients));
  for (const lock of locks.slice(0, 4)) for (const t of threads) cells.push(cell('hashtable.throughput',
    { lock, buckets: 512, load: 12, keys: 'uniform', threads: t }, 'throughput', 'op/s', 2e6 * t));
  for (const primitive of ['futex', 'event', 'std/condition_variable']) {
    for (const t of [1, 3, 11]) cells.push(cell('wake.broadcast', { primitive, threads: t }, 'wake_mean', 'ns', 8000 * t),
      cell('wake.broadcast', { primitive, threads: t }, 'wake_last', 'ns', 16000 * t));
    for (const call of ['futex', 'read']) cells.push(cell('wake.broadcast', { primitive, threads: 3, call }, 'calls_per_wake', '1', call === 'futex' ? 1
      : 0.5));
    for (const order of [1, 2, 3]) cells.push(cell('wake.broadcast', { primitive, threads: 3, order }, 'wake_of_order', 'ns', 8000 + 5000 * order));
    for (const thread of [0, 1, 2]) cells.push(cell('wake.broadcast', { primitive, threads: 3, thread }, 'wake_of_thread', 'ns', 9000 + 1000 * thread));
    for (const group of [1, 5, 11]) cells.push(cell('wake.groups', { primitive, group, threads: 11 }, 'wake_mean', 'ns', 9000 / group));
    for (const idle of [1, 100, 10000, 100000]) cells.push(cell('wake.idle', { primitive, idle, distance: 'same_cache' }, 'latency', 'ns', 3000 + idle / 10));
    cells.push(cell('forkjoin.breakeven', { primitive, threads: 4 }, 'breakeven', 'ns', 50000), cell('forkjoin.balance', { primitive, threads: 4 },
      'ratio', '1', 1.2));
  }
  for (const [i, call] of ['SetEvent', 'ReleaseMutex', 'Waiting for Semaphore'].entries()) cells.push(cell('overhead.calls', { call }, 'delay', 'ns',
    1000 * (i + 1)));
  for (const permits of [0, 1, 2, 4, 8, 64]) cells.push(cell('throttle.sum', { permits, variant: 'integer' }, 'duration', 'ns',
    1e9 / Math.max(1, Math.min(permits || 64, 4))));
  for (const thread of [0, 1, 2, 3]) for (const [m, metric] of ['trigger', 'wake', 'done'].entries())
    cells.push(cell('forkjoin.timeline', { primitive: 'event', thread }, metric, 'ns', 1000 + 9000 * thread + 20000 * m));
  for (const [metric, value] of [['invocation_delay', 48000], ['parallel_begin', 30000], ['parallel_end', 36000],
    ['parallel', 6000]]) cells.push(cell('forkjoin.timeline', { primitive: 'event' }, metric, 'ns', value));
  for (const flavour of ['vanilla', 'lemon']) cells.push(cell('unknown.experiment', { flavour }, 'scoops', '1', flavour.length));
  return document(cells, { label: 'everything' });
}
