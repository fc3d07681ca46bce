// A timeline as a trace in the Trace Event Format of Chrome, which Perfetto opens: complete events ("X") with times in
// microseconds, a process for each run, a thread for each row.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU

import { phaseName, rowName, type GanttShape } from './charts/gantt';
import type { Group } from './panel';
import type { Kind } from './figures';
import { has } from './charts/kit';
import { axisTitle, metricTitle } from './words';
import { valuesOf } from './view';

interface Event {
  name: string;
  ph: 'X' | 'M';
  pid: number;
  tid: number;
  [more: string]: unknown;
}

const microseconds = (ns: number) => ns / 1000;

function eventsOf({ run, cells }: Group, shape: GanttShape, pid: number): Event[] {
  const rows = valuesOf(cells.filter((c) => shape.moments.includes(c.metric)), shape.row);
  const at = (row: number | string, metric: string) => cells.find((c) => c.at[shape.row] === row && c.metric === metric && has(c));
  const named = (what: string, tid: number, name: string): Event => ({ name: what, ph: 'M', pid, tid, args: { name } });
  const span = (name: string, tid: number, from: number, to: number, args: object = {}): Event =>
    ({ name, ph: 'X', pid, tid, ts: microseconds(from), dur: microseconds(to - from), args });
  const events: Event[] = [named('process_name', 0, run.name)];
  rows.forEach((row, i) => {
    events.push(named('thread_name', i + 1, `${axisTitle(shape.row)} ${rowName(row, shape)}`));
    shape.phases.forEach((_, p) => {
      const [from, to] = [at(row, shape.moments[p]!), at(row, shape.moments[p + 1]!)];
      if (!from || !to || to.value! < from.value!) return;
      events.push(span(phaseName(p, row, shape), i + 1, from.value!, to.value!, { [metricTitle(to.metric)]: to.value, interval: to.ci, unit: to.unit }));
    });
  });
  return events;
}

/** Of each run; medians of the repetitions, so no single run looked exactly so. */
export function traceOf(chart: Kind, groups: Group[]): string {
  if (chart.kind !== 'gantt') return '{"traceEvents":[]}';
  return JSON.stringify({ displayTimeUnit: 'ns', otherData: { what: 'medians of the repetitions, by Synchroscope' },
    traceEvents: groups.flatMap((g, i) => eventsOf(g, chart, i + 1)) });
}
