// Files for the reader to keep. A blob made here needs no network.

import type { Cell } from './data';
import { axesOf } from './view';

export function save(name: string, content: string | Blob | string[], type: string): void {
  const url = URL.createObjectURL(new Blob(Array.isArray(content) ? content : [content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** JSON of all cells in pieces of so many: in one, that of a map of 1,024 processors is as long as a text may be. */
export function jsonOf(groups: { machine: string; cells: Cell[] }[], atOnce = 10_000): string[] {
  const [begin, end] = ['[\n', '\n]'];
  const inner = '\n  ]\n }';
  const pieces = groups.flatMap(({ machine, cells }, g) => {
    const texts = Array.from({ length: Math.max(1, Math.ceil(cells.length / atOnce)) }, (_, i) =>
      JSON.stringify([{ machine, cells: cells.slice(i * atOnce, (i + 1) * atOnce) }], null, 1).slice(begin.length, -end.length));
    const head = ` {\n  "machine": ${JSON.stringify(machine)},\n  "cells": [`.length;
    return texts.map((t, i) => (i > 0 ? ',' : g > 0 ? ',\n' : '') + t.slice(i > 0 ? head : 0, i < texts.length - 1 ? -inner.length : undefined));
  });
  return groups.length === 0 ? ['[]'] : [begin, ...pieces, end];
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
