// Files for the reader to keep. A blob made here needs no network.

import type { Cell } from './data';
import { axesOf } from './view';

export function save(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A field of a CSV: quoted where it must be, and never taken for a formula by a spreadsheet. */
export function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** One line for each cell, its coordinates in columns of their own. Of an overview the processors of a row and a column, too. */
export function csvOf(groups: { machine: string; cells: Cell[] }[]): string {
  const axes = [...new Set(groups.flatMap((g) => axesOf(g.cells)))];
  const blocks = (['from', 'to'] as const).filter(() => groups.some((g) => g.cells.some((c) => c.block)));
  const head = ['machine', 'experiment', ...axes, ...blocks.map((b) => `${b}_block`), 'metric', 'unit', 'value', 'ci_low', 'ci_high', 'n', 'flag', 'reason'];
  const rows = groups.flatMap((g) =>
    g.cells.map((c) => [
      g.machine, c.experiment, ...axes.map((a) => c.at[a] ?? null), ...blocks.map((b) => c.block?.[b].join(' ') ?? null), c.metric, c.unit, c.value,
      c.ci?.[0] ?? null, c.ci?.[1] ?? null, c.n, c.flag, c.reason,
    ]),
  );
  return [head, ...rows].map((r) => r.map(field).join(',')).join('\r\n') + '\r\n';
}
