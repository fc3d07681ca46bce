// Which lock to take, by what was measured of locks.

import { processorCount, sure, type Cell, type Run } from './data';
import { slug } from './dom';
import { quantity } from './numbers';
import { contenders, leading, ofTheSure, rivals } from './ranking';

interface Choice {
  text: string;
  /** The figure of the page that shows more. */
  figure: string;
}

/** Sure cells that differ in the lock alone, with those beside them that are not; one lock is no contest. */
function contestIn(cells: Cell[]): Cell[] {
  const groups = new Map<string, Cell[]>();
  for (const c of cells) {
    const key = JSON.stringify(Object.entries(c.at).filter(([axis]) => axis !== 'lock' && axis !== 'mode').sort());
    groups.set(key, [...(groups.get(key) ?? []), c]);
  }
  return [...groups.values()].find((group) => contenders(group).length > 1) ?? [];
}

/** "where 4 threads want it, mcs passes it on soonest (100 ns), not distinguishable from clh" */
function choiceFrom(cells: Cell[], where: string, does: string, chart: string): Choice[] {
  const first = leading(contestIn(cells));
  if (!first) return [];
  const { best, tied, holds } = first;
  return [{ text: `${where}, ${String(best.at.lock)} ${does}${ofTheSure(holds)} (${quantity(best.value!, best.unit)})${rivals(tied.map((c) =>
    String(c.at.lock)))}`, figure: slug(`${best.experiment}-${chart}`) }];
}

/** By the largest team that fits the processors, and by a lock that is free; nothing of what is not sure. */
export function choicesOf(run: Run): Choice[] {
  const processors = processorCount(run) || Infinity;
  const locks = run.cells.filter((c) => c.experiment.startsWith('locks.'));
  const wanted = locks.filter((c) => c.metric === 'handoff_time' && c.at.locks === 1
    && (c.at.protocol ?? 'saturated') === 'saturated' && (c.at.readers ?? 0) === 0 && Number(c.at.threads) > 1 && Number(c.at.threads) <= processors);
  const team = Math.max(0, ...wanted.filter(sure).map((c) => Number(c.at.threads)));
  const free = locks.filter((c) => c.metric === 'pair' && c.at.distance === 'same_cpu');
  return [...choiceFrom(wanted.filter((c) => c.at.threads === team), `where ${team} threads want it`, 'passes it on soonest', 'ranking'),
    ...choiceFrom(free, 'where no other thread wants it', 'costs least', 'distance')];
}
