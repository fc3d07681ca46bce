// Results files of a fleet for the tests: alike hosts, and what a test makes of some.

/** One host with ten cells in each of three experiments. */
export function host(name, { factor = 1, ...more } = {}) {
  let seed = [...name].reduce((sum, c) => (31 * sum + c.codePointAt(0)) >>> 0, 7);
  const next = () => {
    seed = (1664525 * seed + 1013904223) >>> 0;
    return seed / 2 ** 32 - 0.5;
  };
  const cells = ['a.first', 'a.second', 'b.third'].flatMap((experiment) => Array.from({ length: 10 }, (_, i) => {
    const value = 100 * (i + 1) * factor * (1 + 0.01 * next());
    return { experiment, at: { threads: i + 1 }, metric: 'latency', unit: 'ns', better: 'lower', value, ci: [0.99 * value, 1.01 * value], n: 7, flag: 'ok',
      reason: null, samples: [], quantiles: {}, noise: {}, probe_ns: null, conditions: {}, valid: true };
  }));
  return { schema: 'synchroscope/1', complete: true, id: `id ${name} ${more.id ?? ''}`, label: null, tool: {},
    invocation: { started: more.started ?? '2026-11-26T01:00:00Z' }, machine: { kind: 'hardware', model_name: more.model ?? 'A processor' },
    topology: { cpus: [{}, {}] }, os: { hostname: name, governor: more.governor ?? 'performance' },
    clock: {}, warnings: [], cells };
}

export const alike = (n) => Array.from({ length: n }, (_, i) => host(`host-${i}`));
