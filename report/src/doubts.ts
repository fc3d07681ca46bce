// What is doubtful in a run.

import { doubtful, type Run } from './reading';
import { someAre, unreliableWords } from './words';

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
    told.push(`${someAre(unsure, values.length)} too uncertain to rely on: ${unreliableWords(unsure)}.`);
  return told;
}
