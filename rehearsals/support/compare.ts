import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@florin/cli/database/client.ts';
import { linesOfCheck, verifyLedger } from '@florin/server/features/settlement/verify-ledger.ts';
import { openDatabase } from '@florin/server/platform/database/db.ts';
import { readNetworkLedger } from '../../faults/books.ts';
import { checkCharges, compareFollowUps } from '../../faults/checks/book-checks.ts';
import { type Records, readOpenWork, readRecords } from '../../faults/records.ts';
import type { Cluster } from './cluster.ts';
import type { AcceptedPayment } from './payer.ts';

const IDLE_LIMIT_MS = 180_000;
const POLL_MS = 200;

export interface Comparison {
  readonly records: Records;
  /** Differences between answers, tables, ledger and the network's ledger, a sentence each. */
  readonly differences: readonly string[];
}

/** Waits until no work is left, stops the processes, and compares all ledgers. */
export async function compareLedgers(
  cluster: Cluster,
  accepted: readonly AcceptedPayment[],
): Promise<Comparison> {
  const comparison = await compareRunning(cluster, accepted);
  await cluster.stop();
  return comparison;
}

/** The same while the processes run. No payment may begin meanwhile. */
export async function compareRunning(
  cluster: Pick<Cluster, 'adminUrl' | 'dataDir'>,
  accepted: readonly AcceptedPayment[],
): Promise<Comparison> {
  await waitUntilIdle(cluster);
  const records = await withClient(cluster.adminUrl, readRecords);
  const ledger = await findLedgerFaults(cluster.adminUrl);
  const outcome = { records, networkLedger: readRunningLedger(cluster.dataDir) };
  return {
    records,
    differences: [
      ...ledger,
      ...findMissing(records, accepted),
      ...checkCharges(outcome),
      ...compareFollowUps(outcome),
    ],
  };
}

/**
 * Waits until no work is left, and compares accepted payments with the tables, the ledger and the network's ledger. The
 * tables may have payments that the network does not know.
 */
export async function compareAccepted(
  installation: Pick<Cluster, 'adminUrl' | 'dataDir'>,
  accepted: readonly AcceptedPayment[],
): Promise<string[]> {
  const { adminUrl, dataDir } = installation;
  await waitUntilIdle(installation);
  const { rows } = await withClient(adminUrl, (client) =>
    client.query<StoredPayment>(
      `select id::text, amount_cents::text, status from payment_demands where id = any($1)`,
      [accepted.map(({ id }) => id)],
    ),
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const succeeded = rows.filter(({ status }) => status === 'succeeded');
  const approved = readRunningLedger(dataDir).authorisations.filter(
    ({ result }) => result === 'approved',
  );
  const charged = totalOf(approved.map(({ amount }) => amount));
  const recorded = totalOf(succeeded.map(({ amount_cents }) => Number(amount_cents)));
  return [
    ...(await findLedgerFaults(adminUrl)),
    ...accepted
      .filter(({ id, amount_cents }) => Number(stored.get(id)?.amount_cents) !== amount_cents)
      .map(({ id }) => `payment ${id} was accepted, and is stored otherwise or not at all`),
    ...(charged === recorded
      ? []
      : [`the network charged ${charged}, and succeeded payments have ${recorded}`]),
  ];
}

interface StoredPayment {
  readonly id: string;
  readonly amount_cents: string;
  readonly status: string;
}

const totalOf = (amounts: readonly number[]): string =>
  `${amounts.reduce((sum, amount) => sum + amount, 0)} cents in ${amounts.length} payments`;

/** Reads a copy, because the running simulator locks its ledger. */
function readRunningLedger(dataDir: string): ReturnType<typeof readNetworkLedger> {
  const copy = join(dataDir, 'copied-ledger');
  cpSync(join(dataDir, 'simulator'), join(copy, 'simulator'), { recursive: true });
  try {
    return readNetworkLedger(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

async function waitUntilIdle({ adminUrl }: Pick<Cluster, 'adminUrl'>): Promise<void> {
  const deadline = performance.now() + IDLE_LIMIT_MS;
  while ((await withClient(adminUrl, readOpenWork)).open > 0) {
    if (performance.now() > deadline) throw new Error(`work is left after ${IDLE_LIMIT_MS} ms`);
    await sleep(POLL_MS);
  }
}

/** Runs the checks of `florin ledger verify`. */
export async function findLedgerFaults(url: string): Promise<string[]> {
  await using db = openDatabase({ url, connections_max: 2, statement_timeout_ms: 60_000 });
  const checks = await verifyLedger(db);
  return checks.filter(({ differences }) => differences.length > 0).flatMap(linesOfCheck);
}

/** Each accepted payment is stored once, and no other is. */
function findMissing({ payments }: Records, accepted: readonly AcceptedPayment[]): string[] {
  const amounts = new Map(payments.map(({ id, amount_cents }) => [id, Number(amount_cents)]));
  const missing = accepted.filter(({ id, amount_cents }) => amounts.get(id) !== amount_cents);
  return [
    ...missing.map(({ id }) => `payment ${id} was accepted, and is stored otherwise or not at all`),
    ...(payments.length === accepted.length
      ? []
      : [`${accepted.length} payments were accepted, and ${payments.length} are stored`]),
  ];
}
