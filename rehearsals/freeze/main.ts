import { join } from 'node:path';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { countBy } from '../support/count-by.ts';
import { openEnvironment } from '../support/environment.ts';
import { PARTS, type PartName } from './parts.ts';
import { type Freeze, rehearseFreezes } from './run.ts';

const PART_NAMES = Object.keys(PARTS) as PartName[];

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- freeze',
    summary: 'Takes payments while vaults, card network and database are frozen with SIGSTOP.',
    options: {
      parts: { default: PART_NAMES.join(), description: 'what is frozen, in turn' },
      seconds: { default: '20', description: 'length of each freeze' },
      payments: { default: '100', description: 'payments before and after each freeze' },
      clients: { default: '600', description: 'payments that wait at the same time, at most' },
      rate: { default: '10', description: 'payments a second' },
    },
  });
  await using environment = await openEnvironment();
  const freezes = await rehearseFreezes(
    {
      dataDir: join(environment.directory, 'd'),
      postgresUrl: environment.postgres.url('postgres'),
      databaseDir: environment.postgres.directory,
      apis: 2,
      workers: 2,
      parts: PART_NAMES.filter((part) => values.parts.split(',').includes(part)),
      seconds: Number(values.seconds),
      payments: Number(values.payments),
      at_once: Number(values.clients),
      per_second: Number(values.rate),
    },
    (freeze) => console.log(describe(freeze)),
  );
  console.log(renderFreezes(freezes));
  return freezes.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

const describe = ({ part, unready, failed, outcomes, differences }: Freeze): string =>
  [
    `${PARTS[part].description}: ${countBy(outcomes)}`,
    `  readiness: ${unready.join(', ') || 'ready throughout'}`,
    `  requests that were repeated: ${countBy(failed)}`,
    ...differences.map((difference) => `  ${difference}`),
  ].join('\n');

const renderFreezes = (freezes: readonly Freeze[]): string =>
  renderTable(
    [
      'frozen',
      'no write accepted (s)',
      'no outcome (s)',
      'first outcome afterwards (s)',
      'payments',
      'unknown outcomes',
      'failed requests',
      'differences',
    ],
    freezes.map((freeze) => [
      PARTS[freeze.part].description,
      seconds(freeze.write_gap_ms),
      seconds(freeze.outcome_gap_ms),
      seconds(freeze.recovery_ms),
      String(freeze.outcomes.length),
      String(freeze.unknown),
      String(freeze.failed.length),
      String(freeze.differences.length),
    ]),
  );
