// The few facts that matter most, each a figure and a sentence that a first-year student understands. Only numbers that
// are sure enough appear here.

import { digits, interval, quantity } from './numbers';
import { leading, rivals } from './ranking';
import { doubtful, sure, type Cell, type Run } from './reading';
import { cellsOf } from './view';
import { listOf } from './reading';
import { slug } from './dom';
import { valueTitle } from './words';

export interface Fact {
  figure: string;
  text: string;
  /** The interval, the protocol. */
  detail: string;
  /** The figure of the page that shows more. */
  target: string;
}

type Sure = Cell & { value: number; ci: [number, number] };

const isNear = (c: Cell) => c.at.mode === undefined || c.at.mode === 'near';

/** Sure cells of a metric; those of the near mode where there are any. */
function cellsFor(run: Run, experiment: string, metric: string, where: (c: Cell) => boolean = () => true): Sure[] {
  const all = cellsOf(run, experiment).filter((c): c is Sure => c.metric === metric && sure(c) && where(c));
  return all.some(isNear) ? all.filter(isNear) : all;
}

const least = (cells: Sure[]) => cells.reduce<Sure | undefined>((a, c) => (!a || c.value < a.value ? c : a), undefined);
const most = (cells: Sure[]) => cells.reduce<Sure | undefined>((a, c) => (!a || c.value > a.value ? c : a), undefined);
const between = (c: Sure) => interval(c.ci, c.unit);
const farNote = (c: Cell) => (isNear(c) ? '' : ', while the virtual processors were far from each other');

/** "19 million times a second" */
function rate(value: number): string {
  const [factor, word] = value >= 1e9 ? [1e9, ' billion'] : value >= 1e6 ? [1e6, ' million'] : value >= 1e3 ? [1e3, ' thousand'] : [1, ''];
  return `${digits(value / factor)}${word}`;
}

/** Teams of one and of many are compared without a pause: else the pause is what is seen. */
const saturated = (c: Cell) => c.at.protocol === 'saturated';

const processors = (run: Run) => listOf(run.topology, 'cpus').length;

function handover(run: Run): Fact | null {
  for (const [protocol, how] of [['cas', 'the two take turns on it by compare-and-swap'], ['handover', 'by stores and loads on two lines']] as const) {
    const all = cellsFor(run, 'coherence.pairs', 'latency', (c) => c.at.protocol === protocol);
    const near = least(all);
    const far = most(all);
    if (!near || !far) continue;
    const apart = far.ci[0] > near.ci[1];
    return {
      figure: quantity(near.value, near.unit),
      text: `to hand a line of memory to the nearest processor${apart ? `; to the farthest, ${quantity(far.value, far.unit)}` : ''}`,
      detail: `${between(near)}; ${how}${farNote(near)}`,
      target: slug('coherence.pairs-map'),
    };
  }
  return null;
}

function counter(run: Run): Fact | null {
  const all = cellsFor(run, 'atomics.throughput', 'successes', (c) => saturated(c) && (c.at.operation === 'fai' || c.at.operation === 'swap'));
  for (const operation of ['fai', 'swap']) {
    const own = all.filter((c) => c.at.operation === operation);
    const alone = own.find((c) => c.at.threads === 1);
    const limit = processors(run) || Infinity;
    const many = own.filter((c) => Number(c.at.threads) > 1 && Number(c.at.threads) <= limit).sort((a, b) => Number(b.at.threads) - Number(a.at.threads))[0];
    if (!alone || !many) continue;
    const slower = many.ci[1] < alone.ci[0];
    const verb = operation === 'fai' ? 'add to one counter' : 'exchange one value';
    return {
      figure: slower ? `÷ ${digits(alone.value / many.value)}` : `× ${digits(many.value / alone.value)}`,
      text: slower ? `is what sharing does: ${String(many.at.threads)} threads together ${verb} ${rate(many.value)} times a second, one alone ${rate(alone.value)} times`
        : `as much work when ${String(many.at.threads)} threads ${verb} instead of one`,
      detail: `together ${between(many)}, alone ${between(alone)}${farNote(many)}`,
      target: slug('atomics.throughput-threads'),
    };
  }
  return null;
}

function freeLock(run: Run): Fact | null {
  const all = cellsFor(run, 'locks.uncontested', 'pair', (c) => c.at.distance === 'same_cpu');
  const first = leading(all);
  if (!first) return null;
  const best = first.best as Sure;
  const usual = all.find((c) => c.at.lock === 'std/mutex');
  const lock = String(best.at.lock);
  const also = rivals(first.tied.map((c) => String(c.at.lock)));
  const behind = usual && usual !== best && !first.tied.includes(usual);
  return {
    figure: quantity((behind ? usual : best).value, best.unit),
    text: behind ? `to take and give back a free std::mutex; the cheapest lock, ${lock}${also}, takes ${quantity(best.value, best.unit)}`
      : `to take and give back a free lock with ${lock}${also === '' ? ', the cheapest' : also}`,
    detail: between(behind ? usual : best),
    target: slug('locks.uncontested-distance'),
  };
}

const placeWithout = (c: Cell) => JSON.stringify(Object.entries(c.at).filter(([a]) => a !== 'lock'));

function contest(run: Run): Fact | null {
  const limit = processors(run) || Infinity;
  const cells = cellsFor(run, 'locks.throughput', 'hand_over', (c) => saturated(c) && c.at.locks === 1 && Number(c.at.threads) > 1 && Number(c.at.threads) <= limit && (c.at.readers ?? 0) === 0);
  const threads = Math.max(...cells.map((c) => Number(c.at.threads)));
  const groups = new Map<string, Sure[]>();
  for (const c of cells.filter((x) => x.at.threads === threads)) groups.set(placeWithout(c), [...(groups.get(placeWithout(c)) ?? []), c]);
  const group = [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  const first = leading(group);
  const best = first?.best as Sure | undefined;
  const usual = group.find((c) => c.at.lock === 'std/mutex');
  if (!first || !best || group.length < 2) return null;
  const also = rivals(first.tied.map((c) => valueTitle('lock', c.at.lock!)));
  const behind = usual && usual !== best && !first.tied.includes(usual);
  const beside = behind ? `; with std::mutex ${quantity(usual.value, usual.unit)}` : '';
  return {
    figure: quantity(best.value, best.unit),
    text: `is the shortest time after which a lock that ${threads} threads want passes from one to another, with ${valueTitle('lock', best.at.lock!)}${also}${beside}`,
    detail: `${between(best)}${farNote(best)}`,
    target: slug('locks.throughput-ranking'),
  };
}

function memory(run: Run): Fact | null {
  const all = cellsFor(run, 'coherence.local', 'latency');
  const near = all.find((c) => c.at.level === 'l1');
  const far = all.find((c) => c.at.level === 'ram');
  if (!near || !far) return null;
  return {
    figure: `${digits(far.value / near.value)}×`,
    text: `is how much longer a read from main memory takes (${quantity(far.value, far.unit)}) than one from the first cache (${quantity(near.value, near.unit)})`,
    detail: `${between(far)} against ${between(near)}`,
    target: slug('coherence.local-levels'),
  };
}

/** Whatever wakes fastest; known by its primitive and a time. */
function waking(run: Run): Fact | null {
  const one = cellsFor(run, 'wake.broadcast', 'wake_mean', (c) => c.at.threads === 1 && !/spin|yield|rendezvous/.test(String(c.at.primitive)));
  const first = leading(one);
  if (!first) return null;
  const best = first.best as Sure;
  const also = rivals(first.tied.map((c) => String(c.at.primitive)));
  return {
    figure: quantity(best.value, best.unit),
    text: `from the call until one sleeping thread runs again, with ${String(best.at.primitive)}${also === '' ? ', the quickest that sleeps' : also}`,
    detail: between(best),
    target: slug('wake.broadcast-primitives'),
  };
}

/** A platform of the paper has no intervals; its own numbers are told as they were printed. */
function published(run: Run): Fact | null {
  if (run.kind !== 'published') return null;
  const loads = cellsOf(run, 'coherence.states').filter((c) => c.at.operation === 'load' && c.at.state === 'modified' && c.value !== null);
  const [near, far] = [loads[0], loads[loads.length - 1]];
  if (!near || !far) return null;
  return {
    figure: `${near.value!} cycles`,
    text: `to load a line that the nearest core has changed (${valueTitle('distance', near.at.distance ?? '')}); the farthest takes ${far.value!}`,
    detail: 'as published, Table 2',
    target: slug('coherence.states-operations'),
  };
}

export function factsOf(run: Run): Fact[] {
  return [handover, counter, freeLock, contest, waking, memory, published].map((f) => f(run)).filter((f): f is Fact => f !== null).slice(0, 5);
}

/** What is doubtful: one sentence each. */
export function doubtsOf(run: Run): string[] {
  const told: string[] = [];
  const broken = run.cells.filter((c) => !c.valid).length;
  const values = run.cells.filter((c) => c.value !== null);
  const unsure = values.filter(doubtful).length;
  if (broken > 0) told.push(`${broken} ${broken === 1 ? 'cell' : 'cells'} failed the self-check: what they measured is broken.`);
  if (!run.complete) told.push('The run was stopped early: some values are missing or have fewer repetitions.');
  if (values.length === 0) told.push('There is no value in this file.');
  else if (unsure > 0)
    told.push(`${unsure} of ${values.length} values are too uncertain to rely on: their 95 % interval reaches 10 % or more to a side, or there is none.`);
  return told;
}
