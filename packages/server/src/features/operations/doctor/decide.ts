import type { FlorinEnvironment } from '@florin/contract/variables.ts';
import { type Micros, seconds } from '../../../platform/time/clock.ts';
import { type DoctorProcesses, processFindings } from './decide-processes.ts';
import { type Area, type DoctorFinding, type Examination, finding, when } from './findings.ts';

/** Age at which due work counts as late, as in the alert rules. */
const LATE_SECONDS = 300;
const DAY_SECONDS = 86_400;
const CHECK_DAYS_MAX = 2;
const CERTIFICATE_DAYS_MIN = 14;
/** Share of the database's connections at which it is nearly full. */
const CONNECTIONS_SHARE_MAX = 0.9;
const TRANSACTION_SECONDS_MAX = 60;

/** Facts of a database that answers. */
export interface DoctorFacts extends DoctorProcesses {
  readonly environment: FlorinEnvironment;
  readonly now: Micros;
  readonly database: {
    readonly version: string;
    readonly connections: number;
    readonly connections_max: number;
    readonly oldest_transaction_seconds: number;
    readonly migrations: number;
  };
  /** Migrations that the program has and the database lacks. */
  readonly pending: readonly string[];
  /** Why the database does not fit the program; undefined if it does. */
  readonly refusal: string | undefined;
  /** Sentences about the vault and about clocks that differ. */
  readonly vault_notes: readonly string[];
  readonly clock_notes: readonly string[];
  readonly queues: readonly {
    readonly name: string;
    readonly due: number;
    readonly late_s: number;
  }[];
  readonly failing_webhooks: readonly {
    readonly id: string;
    readonly merchant: string;
    readonly mode: string;
    readonly since: string;
  }[];
  readonly refused_keys: readonly {
    readonly name: string;
    readonly mode: string;
    readonly since: string;
  }[];
  readonly unknown_over_24h: number;
  readonly operator_attempts: number;
  readonly settlement_exceptions: number;
  readonly reports_open: number;
  readonly notifications_open: number;
  readonly disputes_quarantined: number;
  readonly audit_fault: string | null;
  readonly checks: readonly {
    readonly name: string;
    readonly at: Micros;
    readonly is_ok: boolean;
  }[];
  readonly certificates: readonly {
    readonly name: string;
    readonly expires_at: Micros | undefined;
    /** Default: that of certificates of the proxy and the database. */
    readonly runbook?: string;
  }[];
}

/** Decides what is wrong with an installation. */
export function examine(facts: DoctorFacts): Examination {
  return {
    facts: factsOf(facts),
    findings: [
      ...processFindings(facts),
      ...restoreFindings(facts),
      ...databaseFindings(facts),
      ...facts.vault_notes.map((note) => finding('vault', note, 'the-vault-does-not-answer')),
      ...facts.clock_notes.map((note) => finding('clocks', note, 'clocks-differ')),
      ...workFindings(facts),
      ...processorFindings(facts),
      ...recordFindings(facts),
      ...checkFindings(facts),
      ...certificateFindings(facts),
    ],
  };
}

const restoreFindings = ({ restored_to }: DoctorFacts): DoctorFinding[] =>
  when(restored_to !== undefined, () => ({
    area: 'database',
    problem: `The installation was restored to ${restored_to} and is closed: it sends nothing, and refuses payments.`,
    next_step:
      'Run npm run florin -- restore learn, restore report and restore open: /docs/operate/backup#learn-and-open-after-a-restore.',
  }));

function databaseFindings({
  database,
  is_read_only,
  is_disk_full,
  pending,
  refusal,
}: DoctorFacts): DoctorFinding[] {
  const { connections, connections_max, oldest_transaction_seconds } = database;
  return [
    ...when(is_read_only, () =>
      finding('database', 'The database takes no writes.', 'the-database-takes-no-writes'),
    ),
    ...when(is_disk_full, () =>
      finding(
        'database',
        'The disk of the database is full.',
        'the-disk-is-full',
        'Free some space there, or enlarge it.',
      ),
    ),
    ...when(connections > connections_max * CONNECTIONS_SHARE_MAX, () =>
      finding(
        'database',
        `${connections} of ${connections_max} connections are in use.`,
        'all-connections-of-a-pool-are-in-use',
        'Raise max_connections, or run fewer processes.',
      ),
    ),
    ...when(oldest_transaction_seconds > TRANSACTION_SECONDS_MAX, () =>
      finding(
        'database',
        `A transaction is open for ${oldest_transaction_seconds} s.`,
        'all-connections-of-a-pool-are-in-use',
        'Find it in pg_stat_activity.',
      ),
    ),
    ...when(refusal !== undefined, () => ({
      area: 'migrations',
      problem: refusal ?? '',
      next_step: 'Run the version that migrated the database: /docs/operate/upgrade.',
    })),
    ...when(pending.length > 0, () => ({
      area: 'migrations',
      problem: `The database lacks migrations: ${pending.join(', ')}.`,
      next_step:
        'Run npm run florin -- migrate: /docs/operate/upgrade. In development, start Florin.',
    })),
  ];
}

const workFindings = ({ queues, failing_webhooks }: DoctorFacts): DoctorFinding[] => [
  ...queues
    .filter(({ late_s }) => late_s > LATE_SECONDS)
    .map(({ name, due, late_s }) =>
      finding(
        'queues',
        `${name}: ${due} due, the oldest for ${durationText(late_s)}.`,
        'work-is-late',
      ),
    ),
  ...failing_webhooks.map(({ id, merchant, mode, since }) =>
    finding(
      'webhooks',
      `The ${mode} subscription ${id} of ${merchant} takes no messages since ${since}.`,
      'webhooks-are-not-delivered',
    ),
  ),
];

const processorFindings = (facts: DoctorFacts): DoctorFinding[] => [
  ...facts.refused_keys.map(({ name, mode, since }) =>
    finding(
      'processors',
      `The processor refuses the key of the ${mode} account ${name} since ${since}.`,
      'a-processor-refuses-the-key-of-an-account',
    ),
  ),
  ...counted(
    facts.unknown_over_24h,
    'outcomes',
    'outcomes are unknown for more than a day',
    'outcomes-stay-unknown',
  ),
  ...counted(
    facts.operator_attempts,
    'outcomes',
    'outcomes wait for an operator',
    'an-outcome-needs-an-operator',
  ),
];

const recordFindings = (facts: DoctorFacts): DoctorFinding[] => [
  ...counted(
    facts.settlement_exceptions,
    'settlement',
    'settlement exceptions are open',
    'a-settlement-exception',
  ),
  ...counted(
    facts.reports_open,
    'settlement',
    'settlement reports need an operator',
    'a-settlement-report-needs-an-operator',
  ),
  ...counted(
    facts.notifications_open,
    'processors',
    'notifications of processors need an operator',
    'a-notification-needs-an-operator',
  ),
  ...counted(
    facts.disputes_quarantined,
    'processors',
    'disputes could not be stored',
    'a-notification-needs-an-operator',
  ),
  ...when(facts.audit_fault !== null, () =>
    finding(
      'audit',
      `The audit log was changed: ${facts.audit_fault}.`,
      'the-audit-log-was-changed',
    ),
  ),
];

const counted = (count: number, area: Area, problem: string, runbook: string): DoctorFinding[] =>
  when(count > 0, () => finding(area, `${count} ${problem}.`, runbook));

/** Commands that an operator runs daily. Development has no duty to run them. */
const COMMANDS = {
  ledger: { command: 'ledger verify', runbook: 'the-ledger-may-be-wrong' },
  audit: { command: 'audit verify', runbook: 'the-audit-log-was-changed' },
  backup: { command: 'doctor record backup', runbook: 'a-check-or-backup-is-missing' },
} as const;

function checkFindings({ environment, now, checks }: DoctorFacts): DoctorFinding[] {
  return Object.entries(COMMANDS).flatMap(([name, { command, runbook }]) => {
    const last = checks.find((check) => check.name === name);
    const days = last ? (now - last.at) / seconds(DAY_SECONDS) : Number.POSITIVE_INFINITY;
    if (last && !last.is_ok)
      return [finding('checks', `The last ${command} found differences.`, runbook)];
    const isMissing = days > CHECK_DAYS_MAX && environment === 'production';
    const ageText = last ? `${Math.floor(days)} days ago` : 'never';
    return when(isMissing, () =>
      finding(
        'checks',
        `${name}: last done ${ageText}.`,
        'a-check-or-backup-is-missing',
        `Run npm run florin -- ${command}.`,
      ),
    );
  });
}

const certificateFindings = ({ certificates, now }: DoctorFacts): DoctorFinding[] =>
  certificates.flatMap(({ name, expires_at, runbook = 'a-certificate-expires' }) => {
    if (expires_at === undefined)
      return [
        finding(
          'certificates',
          `The certificate of ${name} cannot be read from this host.`,
          runbook,
        ),
      ];
    const days = daysUntil(expires_at, now);
    return when(days < CERTIFICATE_DAYS_MIN, () =>
      finding(
        'certificates',
        `The certificate of ${name} ${days < 0 ? 'has expired' : `expires in ${days} days`}.`,
        runbook,
      ),
    );
  });

const daysUntil = (instant: Micros, now: Micros): number =>
  Math.floor((instant - now) / seconds(DAY_SECONDS));

const MINUTE_SECONDS = 60;

function durationText(duration_s: number): string {
  if (duration_s < MINUTE_SECONDS) return `${Math.round(duration_s)} s`;
  if (duration_s < DAY_SECONDS) return `${Math.round(duration_s / MINUTE_SECONDS)} min`;
  return `${Math.floor(duration_s / DAY_SECONDS)} days`;
}

/** A line about each area. */
function factsOf(facts: DoctorFacts): Examination['facts'] {
  const { database, loops, queues, checks, certificates, now } = facts;
  const live = new Set(loops.flatMap(({ process, state }) => (state === 'gone' ? [] : [process])));
  const due = queues.filter((queue) => queue.due > 0);
  const oldest = Math.max(0, ...queues.map(({ late_s }) => late_s));
  return {
    processes: `version ${facts.version}; ${live.size === 1 ? '1 server' : `${live.size} servers`}: ${[...live].join(', ') || 'none'}`,
    database: `PostgreSQL ${database.version}, ${database.connections} of ${database.connections_max} connections`,
    migrations: `${database.migrations} applied`,
    queues: `${due.length === 0 ? 'nothing due' : due.map(({ name, due: count }) => `${name} ${count}`).join(', ')}; oldest ${durationText(oldest)}`,
    checks: Object.keys(COMMANDS)
      .map((name) => {
        const last = checks.find((check) => check.name === name);
        return `${name} ${last ? `${durationText((now - last.at) / seconds(1))} ago` : 'never'}`;
      })
      .join(', '),
    certificates: certificates
      .flatMap(({ name, expires_at }) =>
        expires_at === undefined ? [] : [`${name} ${daysUntil(expires_at, now)} days`],
      )
      .join(', '),
  };
}
