import { join } from 'node:path';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { countBy } from '../support/count-by.ts';
import { openEnvironment } from '../support/environment.ts';
import { ROTATIONS } from './rotations.ts';
import { isGood, type KeysReport, rehearseKeys } from './run.ts';

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- keys',
    summary:
      'Takes payments with stored and new cards while every key is rotated, and kills the vault and a command in the middle.',
    options: {
      clients: { default: '6', description: 'number of clients that pay with a stored card' },
      rate: { default: '15', description: 'payments a second with a stored card' },
      activation: { default: '75', description: 'seconds between secrets rotate and end-overlap' },
    },
  });
  await using environment = await openEnvironment();
  const report = await rehearseKeys({
    dataDir: join(environment.directory, 'd'),
    postgresUrl: environment.postgres.url('postgres'),
    apis: 2,
    workers: 2,
    rotations: ROTATIONS,
    at_once: Number(values.clients),
    per_second: Number(values.rate),
    activation_ms: Number(values.activation) * 1_000,
  });
  console.log(renderReport(report));
  return isGood(report) ? 0 : 1;
}

function renderReport(report: KeysReport): string {
  const { rotations, webhooks, log, errors, differences } = report;
  return [
    ...log,
    renderTable(
      ['rotation', 'payments', 'new cards', 'longest pause', 'failed requests'],
      rotations.map(({ name, payments, new_cards, pause_ms, failures }) => [
        name,
        String(payments),
        String(new_cards),
        `${(pause_ms / 1_000).toFixed(1)} s`,
        countBy(failures),
      ]),
    ),
    renderTable(
      ['what', 'result'],
      [
        ['payments accepted', String(report.payments)],
        ['new cards', String(report.new_cards)],
        ['charges of the first card', String(report.stored_card_charges)],
        ['webhooks with a good signature', String(webhooks.signed)],
        ['signed by the newest secret', String(webhooks.newest)],
        ['webhooks with a wrong signature', String(webhooks.forged)],
        ['payments that failed', String(errors.length)],
        ['differences between ledgers', String(differences.length)],
      ],
    ),
    ...errors,
    ...differences,
  ].join('\n');
}
