import {
  type Cluster,
  type ClusterOptions,
  type Member,
  startCluster,
} from '../support/cluster.ts';
import { compareLedgers } from '../support/compare.ts';
import { takePayments } from '../support/load.ts';
import { createPayer } from '../support/payer.ts';

export interface ProcessesPlan extends Pick<ClusterOptions, 'dataDir' | 'postgresUrl'> {
  readonly payments: number;
  /** Kills, spread over the payments: one member of each role in turn. */
  readonly kills: number;
  readonly at_once: number;
}

export interface ProcessesReport {
  readonly payments: number;
  readonly succeeded: number;
  /** Reasons of failed payments. */
  readonly failures: readonly string[];
  readonly kills: readonly string[];
  readonly repeats: number;
  /** Messages whose outcome was unknown for a while. */
  readonly resolved: number;
  readonly seconds: number;
  readonly differences: readonly string[];
}

/** Takes payments through two apis while members are killed, and compares all ledgers afterwards. */
export async function rehearseProcesses(plan: ProcessesPlan): Promise<ProcessesReport> {
  await using cluster = await startCluster({ ...plan, apis: 2, workers: 2, vaults: 2 });
  const payer = createPayer(cluster.apis, cluster.secretKey);
  await payer.prepare();
  const killer = createKiller(cluster, plan);
  const { payments, seconds } = await takePayments(
    payer,
    { count: plan.payments, at_once: plan.at_once },
    killer.onPaid,
  );
  const { records, differences } = await compareLedgers(cluster, payer.accepted);
  const failed = payments.filter(({ attributes }) => attributes.status === 'failed');
  return {
    payments: payments.length,
    succeeded: payments.filter(({ attributes }) => attributes.status === 'succeeded').length,
    failures: failed.map(({ attributes }) => String(attributes.failure_reason)),
    kills: killer.kills,
    repeats: payer.repeats(),
    resolved: records.attempts.filter(({ unknown_since }) => unknown_since !== null).length,
    seconds,
    differences,
  };
}

const ROLES = ['api', 'worker', 'vault'] as const;

/** Kills a member each time another part of the payments is done. */
function createKiller({ members }: Cluster, { payments, kills: count }: ProcessesPlan) {
  const kills: string[] = [];
  const every = Math.max(1, Math.floor(payments / (count + 1)));
  return {
    kills,
    onPaid(paid: number): void {
      if (kills.length >= count || paid < every * (kills.length + 1)) return;
      const member = victimOf(members, kills.length);
      kills.push(member.name);
      process.kill(member.pid(), 'SIGKILL');
    },
  };
}

/** Roles take turns, and so do the members of a role. */
function victimOf(members: readonly Member[], kill: number): Member {
  const role = ROLES[kill % ROLES.length];
  const candidates = members.filter((member) => member.role === role);
  return candidates[Math.floor(kill / ROLES.length) % candidates.length] as Member;
}
