import { join } from 'node:path';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { countBy } from '../support/count-by.ts';
import { openEnvironment } from '../support/environment.ts';
import type { Look } from './operator.ts';
import { type CertificatesReport, PHASES, type PhaseReport, rehearseCertificates } from './run.ts';

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- certificates',
    summary:
      'Takes payments over mutual TLS while certificates are renewed, replaced with their authority, and expire.',
    options: {
      clients: { default: '8', description: 'number of clients that pay at the same time' },
      rate: { default: '20', description: 'payments a second' },
      lifetime: { default: '45', description: 'seconds that a short-lived certificate is valid' },
      expired: { default: '20', description: 'seconds that an expired certificate stays' },
    },
  });
  await using environment = await openEnvironment();
  const report = await rehearseCertificates({
    dataDir: join(environment.directory, 'd'),
    postgresUrl: environment.postgres.url('postgres'),
    apis: 2,
    workers: 2,
    phases: PHASES,
    at_once: Number(values.clients),
    per_second: Number(values.rate),
    lifetime_ms: Number(values.lifetime) * 1_000,
    expired_ms: Number(values.expired) * 1_000,
  });
  console.log(renderReport(report));
  return isGood(report) ? 0 : 1;
}

/** Where nothing expired, no request may fail. */
const isGood = ({ phases, restarted, errors, differences }: CertificatesReport): boolean =>
  [...errors, ...differences].length === 0 &&
  // The rehearsal itself kills the vault.
  restarted.every((name) => name === 'vault 1') &&
  phases.every(({ failures, recovery_ms }) => recovery_ms !== undefined || failures.length === 0);

function renderReport(report: CertificatesReport): string {
  const { phases, payments, succeeded, restarted, errors, differences } = report;
  return [
    renderTable(
      [
        'phase',
        'payments',
        'failed requests',
        'longest pause',
        'readyz failed',
        'renewal to next payment',
      ],
      phases.map((phase) => [
        phase.phase,
        String(phase.payments),
        countBy(phase.failures),
        secondsOf(phase.pause_ms),
        `${phase.readiness.failed} of ${phase.readiness.all}`,
        secondsOf(phase.recovery_ms),
      ]),
    ),
    ...phases.flatMap(renderReports),
    renderTable(
      ['what', 'result'],
      [
        ['payments accepted', String(payments)],
        ['payments succeeded', String(succeeded)],
        ['processes restarted', countBy(restarted)],
        ['payments that ended with an error', String(errors.length)],
        ['differences between ledgers', String(differences.length)],
      ],
    ),
    ...errors,
    ...differences,
  ].join('\n');
}

const secondsOf = (duration_ms: number | undefined): string =>
  duration_ms === undefined ? '-' : `${(duration_ms / 1_000).toFixed(1)} s`;

/** Lines that an operator reads in a phase. */
const renderReports = ({ phase, before, during, logs }: PhaseReport): string[] => [
  `\n${phase}:`,
  ...(before ? renderLook('before', before) : []),
  ...(during ? renderLook('expired', during) : []),
  ...logs.map((line) => `  log      ${line}`),
];

const renderLook = (when: string, { ready, expiry_seconds, doctor }: Look): string[] => [
  `  ${when}: metric ${expiry_seconds ?? 'missing'}, readyz ${ready}`,
  ...doctor.map((line) => `  ${when}: doctor ${line}`),
];
