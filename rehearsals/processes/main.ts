import { join } from 'node:path';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { countBy } from '../support/count-by.ts';
import { openEnvironment } from '../support/environment.ts';
import { type ProcessesReport, rehearseProcesses } from './run.ts';

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- processes',
    summary:
      'Takes payments through two apis, two workers and two vaults, and kills them in turn with SIGKILL.',
    options: {
      payments: { default: '600', description: 'number of payments' },
      kills: { default: '12', description: 'number of killed processes' },
      clients: { default: '8', description: 'number of clients that pay at the same time' },
    },
  });
  await using environment = await openEnvironment();
  const report = await rehearseProcesses({
    dataDir: join(environment.directory, 'd'),
    postgresUrl: environment.postgres.url('postgres'),
    payments: Number(values.payments),
    kills: Number(values.kills),
    at_once: Number(values.clients),
  });
  console.log(renderReport(report));
  return report.differences.length === 0 ? 0 : 1;
}

function renderReport(report: ProcessesReport): string {
  const { payments, seconds, differences } = report;
  return [
    renderTable(
      ['what', 'result'],
      [
        ['payments accepted', String(payments)],
        ['payments succeeded', String(report.succeeded)],
        ['payments failed', countBy(report.failures)],
        ['processes killed', countBy(report.kills)],
        ['requests repeated', String(report.repeats)],
        ['unknown outcomes resolved', String(report.resolved)],
        ['seconds', seconds.toFixed(1)],
        ['payments a second', (payments / seconds).toFixed(1)],
        ['differences between ledgers', String(differences.length)],
      ],
    ),
    ...differences,
  ].join('\n');
}
