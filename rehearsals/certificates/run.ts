import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLS_RELOAD_MS } from '@florin/contract/tls/identity-holder.ts';
import {
  type Cluster,
  type ClusterOptions,
  freePorts,
  type Member,
  startCluster,
} from '../support/cluster.ts';
import { compareLedgers } from '../support/compare.ts';
import { takePaymentsUntil } from '../support/load.ts';
import { createPayer } from '../support/payer.ts';
import { createTimeline, type Timeline } from '../support/timeline.ts';
import { createIdentities, type Identities, type Side } from './identities.ts';
import { createOperator, type Look, type Operator, type Readiness } from './operator.ts';

/** Changes of the certificates, one after the other. */
export type Phase =
  | 'renew in time'
  | 'replace the authority'
  | 'server expires'
  | 'vault expires'
  | 'vault expires, and crashes';

export const PHASES: readonly Phase[] = [
  'renew in time',
  'replace the authority',
  'server expires',
  'vault expires',
  'vault expires, and crashes',
];

export interface CertificatesPlan extends Pick<ClusterOptions, 'dataDir' | 'postgresUrl'> {
  readonly phases: readonly Phase[];
  readonly at_once: number;
  readonly per_second: number;
  /** Time of a short-lived certificate. Both sides need up to ten seconds to read it. */
  readonly lifetime_ms: number;
  /** How long an expired certificate stays. */
  readonly expired_ms: number;
}

export interface PhaseReport {
  readonly phase: Phase;
  readonly payments: number;
  /** Requests without an answer or with an error, by kind. */
  readonly failures: readonly string[];
  /** Longest time without an outcome of any payment. */
  readonly pause_ms: number;
  /** Time from the new files to the next outcome; undefined where nothing expired. */
  readonly recovery_ms: number | undefined;
  readonly readiness: Readiness;
  readonly before: Look | undefined;
  readonly during: Look | undefined;
  readonly logs: readonly string[];
}

export interface CertificatesReport {
  readonly phases: readonly PhaseReport[];
  readonly payments: number;
  readonly succeeded: number;
  /** Members whose process was replaced. */
  readonly restarted: readonly string[];
  readonly errors: readonly string[];
  readonly differences: readonly string[];
}

interface Stage {
  readonly plan: CertificatesPlan;
  readonly identities: Identities;
  readonly operator: Operator;
  readonly timeline: Timeline;
  readonly vault: Member;
}

/** Takes payments through two apis and a vault with mutual TLS while certificates are renewed and expire. */
export async function rehearseCertificates(plan: CertificatesPlan): Promise<CertificatesReport> {
  const [port = 0] = await freePorts(1);
  const identities = createIdentities(join(plan.dataDir, '..', 'tls'), port);
  await using cluster = await startCluster({
    ...plan,
    apis: 2,
    workers: 2,
    envOf: (role) => ({
      ...identities.envOf(role),
      ...LOGS[role === 'vault' ? 'vault' : 'server'],
    }),
  });
  const timeline = createTimeline();
  const payer = timeline.watch(createPayer(cluster.apis, cluster.secretKey, timeline.onAnswer));
  await payer.prepare();
  const vault = cluster.members.find(({ role }) => role === 'vault') as Member;
  const operator = createOperator(cluster, identities);
  const stage = { plan, identities, timeline, vault, operator };
  const pids = pidsOf(cluster);
  let isOver = false;
  const load = takePaymentsUntil(payer, { name: 'certificates', ...plan }, () => isOver);
  const phases: PhaseReport[] = [];
  try {
    for (const phase of plan.phases) phases.push(await runPhase(stage, phase));
  } finally {
    isOver = true;
  }
  const { payments, errors } = await load;
  const restarted = cluster.members.filter(({ pid }, at) => pid() !== pids[at]);
  const { differences } = await compareLedgers(cluster, payer.accepted);
  return {
    phases,
    payments: payer.accepted.length,
    succeeded: payments.filter(({ attributes }) => attributes.status === 'succeeded').length,
    restarted: restarted.map(({ name }) => name),
    errors,
    differences,
  };
}

const LOGS = {
  server: { FLORIN_LOG_LEVEL: 'info' },
  vault: { VAULT_LOG_LEVEL: 'info' },
} as const;

const pidsOf = ({ members }: Cluster): number[] => members.map(({ pid }) => pid());

/** Time in which both sides have read new files, and in which connections were opened again. */
const READ_MS = TLS_RELOAD_MS + 2_000;

type PhaseResult = Partial<Pick<PhaseReport, 'recovery_ms' | 'before' | 'during'>>;

async function runPhase(stage: Stage, phase: Phase): Promise<PhaseReport> {
  const { operator, timeline } = stage;
  operator.readLogs();
  const measured = timeline.begin();
  const asked = operator.watchReadiness();
  const { recovery_ms, before, during } = await STEPS[phase](stage);
  const readiness = asked();
  return {
    phase,
    recovery_ms,
    before,
    during,
    readiness,
    ...measured(),
    logs: operator.readLogs(),
  };
}

const STEPS: Readonly<Record<Phase, (stage: Stage) => Promise<PhaseResult>>> = {
  async 'renew in time'({ identities, operator }) {
    const before = await operator.look('server');
    identities.renew('server');
    identities.renew('vault');
    await sleep(READ_MS);
    return { before };
  },
  async 'replace the authority'({ identities }) {
    identities.addAuthority();
    await sleep(READ_MS);
    identities.renew('server');
    identities.renew('vault');
    await sleep(READ_MS);
    identities.removeOldAuthority();
    await sleep(READ_MS);
    return {};
  },
  'server expires': (stage) => expire(stage, 'server'),
  'vault expires': (stage) => expire(stage, 'vault'),
  'vault expires, and crashes': (stage) => expire(stage, 'vault', killVault),
};

/** Lets the certificate of a side expire, and renews it. Connections that are open go on without the vault's. */
async function expire(
  stage: Stage,
  side: Side,
  endConnections: (stage: Stage) => Promise<void> = async () => {},
): Promise<PhaseResult> {
  const { plan, identities, operator, timeline } = stage;
  const ends_at = Math.floor((Date.now() + plan.lifetime_ms) / 1_000) * 1_000;
  identities.renew(side, new Date(ends_at));
  await sleep(READ_MS);
  if (side === 'server') await openConnectionsAgain(stage);
  const before = await operator.look(side);
  await sleep(Math.max(0, ends_at - Date.now()) + plan.expired_ms);
  await endConnections(stage);
  const during = await operator.look(side);
  identities.renew(side);
  const recovery_ms = await timeline.nextOutcome();
  await sleep(READ_MS);
  return { before, during, recovery_ms };
}

/** The supervisor starts a vault only a few times in a minute, and none starts with an expired certificate. */
async function killVault({ vault }: Stage): Promise<void> {
  process.kill(vault.pid(), 'SIGKILL');
  await sleep(VAULT_AWAY_MS);
}

const VAULT_AWAY_MS = 3_000;

/** A connection keeps the certificate of the server with which it began, until the vault has another one. */
async function openConnectionsAgain({ identities }: Stage): Promise<void> {
  identities.renew('vault');
  await sleep(READ_MS);
}
