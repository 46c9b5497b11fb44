import { randomInt } from 'node:crypto';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { disposeOnSignal, makeDirectory, removeDirectory } from '../support/environment.ts';
import { rehearseBackup } from './run.ts';

const SEEDS = 2 ** 20;
/** Parts of a run: before the backup, in its log, after its log. */
const PARTS = 3;
const ACTIONS_MAX = 1_000;

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- backup',
    summary: 'Loses the embedded database, and restores it by the commands of an operator.',
    options: {
      actions: {
        default: '60',
        description: `payments and changes of payments, at most ${ACTIONS_MAX}`,
      },
      seed: { default: () => String(randomInt(SEEDS)), description: 'seed of the actions' },
    },
  });
  const actions = Math.ceil(Math.min(Number(values.actions), ACTIONS_MAX) / PARTS);
  const directory = await makeDirectory();
  disposeOnSignal(async () => removeDirectory(directory));
  const steps: string[][] = [];
  const onStep = (step: string, seconds: number) => {
    console.error(`${step}: ${seconds.toFixed(1)} s`);
    steps.push([step, seconds.toFixed(1)]);
  };
  try {
    const run = await rehearseBackup({ directory, seed: Number(values.seed), actions, onStep });
    console.log(renderTable(['step', 'seconds'], steps));
    console.log(
      renderTable(
        ['result', 'count'],
        [
          ['payments before the loss', String(run.payments.before)],
          ['payments after the opening', String(run.payments.after)],
          ['messages recovered from the network', String(run.recovered)],
          ['seconds that the log lacked', run.lost_s.toFixed(1)],
          ['differences', String(run.differences.length)],
        ],
      ),
    );
    for (const difference of run.differences) console.error(`seed ${values.seed}: ${difference}`);
    return run.differences.length === 0 ? 0 : 1;
  } finally {
    removeDirectory(directory);
  }
}
