// What is doubtful in a run, and what several runs have of it in common.

import { doubtful, listOf, object, objectOf, type Run } from './data';
import { isObject } from './json';
import { plural, someAre, unreliableWords } from './words';

interface Doubt {
  /** Of one run. */
  text: string;
  /** Of several: what they share, and how much of it this one has. */
  common: string;
  own: string;
}

/** How many values there are, and how many of them are not to be relied on. */
function counted({ cells }: Run): { values: number; unsure: number } {
  let [values, unsure] = [0, 0];
  for (const c of cells)
    if (c.value !== null) {
      ++values;
      if (doubtful(c)) ++unsure;
    }
  return { values, unsure };
}

function doubtsIn(run: Run): Doubt[] {
  const broken = run.cells.filter((c) => !c.valid).length;
  const { values, unsure } = counted(run);
  const same = (text: string): Doubt => ({ text, common: text, own: '' });
  const told: Doubt[] = [];
  if (broken > 0) told.push({ text: `${broken} ${broken === 1 ? 'cell' : 'cells'} failed the self-check: what they measured is broken.`,
    common: 'Cells failed the self-check: what they measured is broken.', own: `${broken} of ${run.cells.length}` });
  if (!run.complete) told.push(same('The run was stopped early: some values are missing or have fewer repetitions.'));
  if (values === 0) told.push(same('There is no value in this file.'));
  else if (unsure > 0) told.push({ text: `${someAre(unsure, values)} too uncertain to rely on: ${unreliableWords(unsure)}.`,
    common: `Values are too uncertain to rely on: ${unreliableWords(2)}.`, own: `${unsure} of ${values}` });
  return told;
}

/** "215 of 272 values", of which that is to be said. */
export function unreliableIn(run: Run): string[] {
  const { values, unsure } = counted(run);
  return unsure === 0 ? [] : [`${unsure} of ${plural(values, 'value')}`];
}

/** Why no fact is told: nothing there, nothing sure, or nothing that has a sentence. */
export function withoutFacts(run: Run): string {
  if (run.cells.length === 0) return 'This run is empty: nothing was measured.';
  if (run.nothingSure !== null) return run.nothingSure;
  return counted(run).values === 0 ? 'There is no value in this file.' : 'The figures of this run show what it holds.';
}

/** What is doubtful: one sentence each. */
export const doubtsOf = (run: Run): string[] => doubtsIn(run).map((d) => d.text);

/** The last value of an option of these names, however it was typed. */
function optionOf(words: string[], ...names: string[]): string | undefined {
  const valueAt = (word: string, i: number) => names.flatMap((name) => {
    if (word === name) return words[i + 1] ?? [];
    const joined = name.startsWith('--') ? `${name}=` : name;
    return word.startsWith(joined) && (name.startsWith('--') || !word.startsWith('--')) ? word.slice(joined.length) : [];
  });
  return words.flatMap(valueAt).pop();
}

/** A stream or a device by its name: it keeps nothing to go on with. */
const isSpecial = (file: string) => /^-$|^\/proc\/|^\/dev\/(?!shm\/)|^(con|nul|prn|aux|com\d|lpt\d)$/i.test(file);

/** As a shell takes it for one word; the program itself (src/results/text.cpp) says it so, too. */
const asTyped = (word: string) => (/^[\w/.+=:,@%-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);

/** What goes on with a run that was stopped early; nothing where it was not, or the file does not say what wrote it. A part of a
 * shared simulation is never complete, and does not say whether it was stopped. */
export function resumption(run: Run): string | null {
  const [, command, ...rest] = listOf(run.invocation, 'argv').filter((a): a is string => typeof a === 'string');
  if (run.complete || (command !== 'run' && command !== 'simulate')) return null;
  const file = optionOf(rest, '-o', '--output') ?? optionOf(rest, '--resume') ?? (command === 'run' ? 'results.json' : 'simulation.json');
  if (optionOf(rest, '--share') !== undefined || isSpecial(file)) return null;
  const locks = optionOf(rest, '--lock') ?? '';
  // Of a lock in a header the file has no more than the name; a simulation goes on without.
  const again = command === 'run' && /\.h(pp)?(,|$)/.test(locks) ? ` --lock ${asTyped(locks)}` : '';
  return `synchroscope ${command} --resume ${asTyped(file)}${again}`;
}

/** A value, or a list of them, as one word of the command line; what is neither text nor a number is left out. */
const typedList = (values: unknown): string => (Array.isArray(values) ? values : [values])
  .filter((v) => typeof v === 'string' || typeof v === 'number').map((v) => asTyped(String(v))).join(',');

/** The models of a simulation. One that was a file stands in the request as a whole. */
function machinesOf(run: Run): unknown[] {
  const asked = listOf(object(run.invocation.request), 'machines').map((m) => (isObject(m) ? m.name : m));
  return typedList(asked) === '' ? [run.machine.model_name] : asked;
}

/** Without values that only cells of other experiments have, which these may refuse (the protocols of locks and messages); none if
 * these have no such axis. */
function valuesOf(runs: Run[], experiments: string[], axis: string, chosen: unknown): unknown[] {
  const cells = runs.flatMap((run) => run.cells).filter((c) => axis in c.at);
  const valuesIn = (own: boolean) => new Set(cells.filter((c) => experiments.includes(c.experiment) === own).map((c) => String(c.at[axis])));
  const [own, others] = [valuesIn(true), valuesIn(false)];
  if (own.size === 0) return [];
  return (Array.isArray(chosen) ? chosen : [chosen]).filter((v) => own.has(String(v)) || !others.has(String(v)));
}

/** What measures these experiments again: of one document, with the values of axes that it was asked for and that they have. The
 * program says the same (src/results/doubt.cpp). */
export function repetition(runs: Run[], experiments: string[]): string {
  const names = [...new Set(experiments)];
  const isSimulated = runs[0]?.kind === 'simulated';
  const request = new Set(runs.map((run) => run.raw)).size === 1 ? object(runs[0]!.invocation.request) : {};
  const axes = objectOf(request, 'axes');
  const ofThese = (axis: string) => valuesOf(runs, names, axis, axes[axis]);
  const asked = Object.keys(axes).filter((axis) => typedList(ofThese(axis)) !== '');
  const machines = isSimulated ? typedList([...new Set(runs.flatMap(machinesOf))]) : '';
  return ['synchroscope', isSimulated ? 'simulate' : 'run', ...names.map(asTyped),
    ...asked.flatMap((axis) => [asTyped(`--${axis}`), typedList(ofThese(axis))]), ...(request.oversubscribe === true ? ['--oversubscribe'] : []),
    ...(machines === '' ? [] : ['--machine', machines])].join(' ');
}

export interface SharedDoubt {
  text: string;
  runs: { run: Run; own: string }[];
}

/** Each doubt once, with the runs that it is about. */
export function sharedDoubts(runs: Run[]): SharedDoubt[] {
  const all = new Map<string, SharedDoubt['runs']>();
  for (const run of runs) for (const d of doubtsIn(run)) all.set(d.common, [...(all.get(d.common) ?? []), { run, own: d.own }]);
  return [...all].map(([text, told]) => ({ text, runs: told }));
}
