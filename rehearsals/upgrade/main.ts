import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { countBy } from '../support/count-by.ts';
import { openEnvironment } from '../support/environment.ts';
import { rehearseUpgrade, type UpgradeReport } from './run.ts';

const RECORDED = join(import.meta.dirname, '../../packages/server/tests/upgrades');

/** The older of the recorded releases. */
function recordedRelease(): string {
  const [oldest = ''] = readdirSync(RECORDED).sort();
  const text = readFileSync(join(RECORDED, oldest, 'release.json'), 'utf8');
  return (JSON.parse(text) as { release: string }).release;
}

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- upgrade',
    summary:
      'Migrates an installation of an earlier release while it takes payments, and runs both releases beside each other.',
    options: {
      from: {
        default: recordedRelease(),
        description: 'commit, or archive of npm run release',
      },
      payments: { default: '1000000', description: 'payments that the installation has before' },
      clients: { default: '8', description: 'number of clients that pay at the same time' },
      rate: { default: '10', description: 'payments a second' },
      seconds: { default: '10', description: 'shortest time of a stage' },
    },
  });
  await using environment = await openEnvironment();
  const report = await rehearseUpgrade({
    directory: environment.directory,
    postgresUrl: environment.postgres.url('postgres'),
    from: values.from,
    payments: Number(values.payments),
    clients: Number(values.clients),
    per_second: Number(values.rate),
    stage_s: Number(values.seconds),
    print: console.log,
  });
  console.log(renderReport(report));
  return isGood(report) ? 0 : 1;
}

const isGood = ({ stages, differences }: UpgradeReport): boolean =>
  differences.length === 0 &&
  stages.every(({ failed, errors }) => failed.length + errors.length === 0);

function renderReport({ release, stages, answers, rows, differences }: UpgradeReport): string {
  const columns = ['stage', 'seconds', 'payments', 'requests', 'failed requests', 'longest wait'];
  return [
    `From release ${release} to this checkout:`,
    renderTable(
      columns,
      stages.map(({ name, seconds, payments, requests, failed, longest_ms }) => [
        name,
        seconds.toFixed(1),
        String(payments),
        String(requests),
        countBy(failed.map(({ method, status }) => `${method} ${status}`)),
        `${Math.round(longest_ms)} ms`,
      ]),
    ),
    ...stages.flatMap(({ errors }) => errors),
    'Compared with the old release, each by its id and in all fields:',
    renderTable(
      ['what', 'compared'],
      [
        ['answers of payments', String(answers)],
        ...Object.entries(rows).map(([table, count]) => [`rows of ${table}`, String(count)]),
      ],
    ),
    differences.length === 0 ? 'No differences between answers, records and ledgers.' : '',
    ...differences,
  ].join('\n');
}
