// Profiles of programs' locks for the tests, as `synchroscope profile -o` writes them.

const times = (buckets, scale) => {
  const sampled = buckets.reduce((sum, [from, count]) => sum + from * count, 0);
  return { estimated_total_ns: sampled * scale, sampled_ns: sampled, below_99_percent_ns: buckets.length === 0 ? null : 2 * buckets.at(-1)[0],
    histogram: buckets.map(([from, count]) => ({ from_ns: from, to_ns: 2 * from, count })) };
};

export const call = (symbol, into = 0x1c) => ({ module: '/usr/bin/server', offset: 0x1234, symbol, into });

/** One lock; waits and holds are lists of [ns, how often]. */
export function lock(name, more = {}) {
  const waits = more.waits ?? [];
  const holds = more.holds ?? [[64, 10]];
  const samples = more.samples ?? 100;
  return {
    name, address: 0x5000, kind: more.kind ?? 'mutex', side: more.side ?? null, object: more.object ?? { module: '/usr/bin/server', offset: 0x7300, symbol: name, into: 0 },
    made_by: more.made_by ?? 'first use', made_at: more.made_at ?? [call('worker()'), call('main')], acquisitions: 64 * samples, samples,
    contended: more.contended ?? 0, contended_share: (more.contended ?? 0) / samples, threads: more.threads ?? 4, more_threads: more.more_threads ?? false,
    hand_offs: more.side === 'reading' ? null : (more.hand_offs ?? 0), hand_offs_between_domains: more.side === 'reading' ? null : (more.across ?? 0),
    wait: times(waits, 64), hold: { ...times(holds, 64), samples: holds.reduce((sum, [, count]) => sum + count, 0) },
    condition_waits: more.condition_waits ?? { count: 0, total_ns: 0 },
  };
}

export const step = (held, taken) => ({ held, held_address: 1, taken, taken_address: 2, thread: 4711, calls: [call(`locks_${taken}()`), call('main')] });

export function process(locks, more = {}) {
  return { pid: more.pid ?? 100, parent: 1, program: more.program ?? '/usr/bin/server --port 8080', seconds: more.seconds === undefined ? 3.25 : more.seconds,
    every: 64, threads: 5, lost: more.lost ?? { samples: 0, spans: 0, orders: 0 }, locks, cycles: more.cycles ?? [] };
}

export const profile = (processes, more = {}) => ({ format: 'synchroscope-profile-1', command: ['/usr/bin/server', '--port', '8080'], lock: 'native', every: 64,
  processes, ...more });
