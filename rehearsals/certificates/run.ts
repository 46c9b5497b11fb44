import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { type ReadinessWatch, watchReadiness } from '../support/readiness.ts';
import { createTimeline, type OpenPart, type Part, type Timeline } from '../support/timeline.ts';
import { createIdentities, type Identities, type Side } from './identities.ts';
import { createOperator, type Look, type Operator } from './operator.ts';

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

export interface CertificatesPlan
  extends Pick<ClusterOptions, 'dataDir' | 'postgresUrl' | 'apis' | 'workers'> {
  readonly phases: readonly Phase[];
  readonly at_once: number;
  readonly per_second: number;
  /** Time of a short-lived certificate. A side needs up to ten seconds to read it. */
  readonly lifetime_ms: number;
  /** How long an expired certificate stays. */
  readonly expired_ms: number;
}

export interface PhaseReport extends Part {
  readonly phase: Phase;
  /** Time from the new files to the next outcome; undefined where nothing expired. */
  readonly recovery_ms: number | undefined;
  /** How often `/readyz` failed, of all its answers. */
  readonly readiness: { readonly failed: number; readonly all: number };
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

type EndedPhase = Omit<PhaseReport, keyof Part> & { readonly part: OpenPart };

interface Stage {
  readonly cluster: Cluster;
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
  const stage = { cluster, plan, identities, timeline, vault, operator };
  const pids = pidsOf(cluster);
  let isOver = false;
  const load = takePaymentsUntil(payer, { name: 'certificates', ...plan }, () => isOver);
  const phases: EndedPhase[] = [];
  try {
    for (const phase of plan.phases) phases.push(await runPhase(stage, phase));
  } finally {
    isOver = true;
  }
  const { payments, errors } = await load;
  const restarted = cluster.members.filter(({ pid }, at) => pid() !== pids[at]);
  const { differences } = await compareLedgers(cluster, payer.accepted);
  return {
    phases: phases.map(({ part, ...phase }) => ({ ...phase, ...part.figures() })),
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

/** Time of payments with certificates that both sides have read, in which connections are opened again. */
const USE_MS = 2_000;
const PROBE_MS = 500;

type PhaseResult = Partial<Pick<PhaseReport, 'recovery_ms' | 'before' | 'during'>>;

async function runPhase(stage: Stage, phase: Phase): Promise<EndedPhase> {
  const { cluster, operator, timeline } = stage;
  operator.readLogs();
  const part = timeline.begin();
  await using watch = watchReadiness(cluster.privates, PROBE_MS);
  const { recovery_ms, before, during } = await STEPS[phase](stage);
  part.end();
  return {
    phase,
    recovery_ms,
    before,
    during,
    readiness: countFailed(watch),
    part,
    logs: operator.readLogs(),
  };
}

/** A server that restarts does not answer, and counts as neither. */
function countFailed({ seen }: ReadinessWatch): PhaseReport['readiness'] {
  const statuses = seen.flatMap(({ status }) => status ?? []);
  return { failed: statuses.filter((status) => status !== 200).length, all: statuses.length };
}

/** Changes files of these sides, and waits until payments use them. */
async function change(
  { identities, operator }: Stage,
  sides: readonly Side[],
  write: (identities: Identities) => void,
): Promise<void> {
  const reloaded = operator.expectReload(...sides);
  write(identities);
  await reloaded();
  await sleep(USE_MS);
}

const SIDES: readonly Side[] = ['server', 'vault'];

const renewBoth = ({ renew }: Identities): void => {
  renew('server');
  renew('vault');
};

const STEPS: Readonly<Record<Phase, (stage: Stage) => Promise<PhaseResult>>> = {
  async 'renew in time'(stage) {
    const before = await stage.operator.look('server');
    await change(stage, SIDES, renewBoth);
    return { before };
  },
  async 'replace the authority'(stage) {
    await change(stage, SIDES, ({ addAuthority }) => addAuthority());
    await change(stage, SIDES, renewBoth);
    await change(stage, SIDES, ({ removeOldAuthority }) => removeOldAuthority());
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
  endConnections?: (stage: Stage) => Promise<void>,
): Promise<PhaseResult> {
  const { plan, identities, operator, timeline } = stage;
  const ends_at = Math.floor((Date.now() + plan.lifetime_ms) / 1_000) * 1_000;
  await change(stage, [side], ({ renew }) => renew(side, new Date(ends_at)));
  // A connection keeps the certificate of the server with which it began, until the vault has another one.
  if (side === 'server') await change(stage, ['vault'], ({ renew }) => renew('vault'));
  const before = await operator.look(side);
  await sleep(Math.max(0, ends_at - Date.now()) + plan.expired_ms);
  await endConnections?.(stage);
  const during = await operator.look(side);
  const reloaded = operator.expectReload(side);
  identities.renew(side);
  const recovery_ms = await timeline.nextOutcome();
  // A vault that starts again reads its files without a message.
  if (!endConnections) await reloaded();
  await sleep(USE_MS);
  return { before, during, recovery_ms };
}

/** The supervisor starts a vault only a few times in a minute, and none starts with an expired certificate. */
async function killVault({ vault }: Stage): Promise<void> {
  process.kill(vault.pid(), 'SIGKILL');
  await sleep(VAULT_AWAY_MS);
}

const VAULT_AWAY_MS = 3_000;
