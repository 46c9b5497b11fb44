import { verifyLedger } from '../../src/features/settlement/verify-ledger.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import type { ResourceObject } from './client.ts';
import type { createClockAhead } from './clock-ahead.ts';
import { eventually } from './make.ts';
import type { StandInStack } from './stand-in-stack.ts';

type ReportStack = Pick<StandInStack, 'db' | 'client'>;

/** Restricts the account to one merchant, and waits until the vault refuses messages of others. */
export async function restrictAccount({
  db,
  stack,
}: Pick<StandInStack, 'db' | 'stack'>): Promise<void> {
  await db.query(
    'update processor_accounts set merchant_id = (select min(id::text)::uuid from merchants)',
    [],
  );
  await using vaultDb = openDatabase({ url: stack.vaultDatabaseUrl, connections_max: 1 });
  await eventually(
    () => vaultDb.query('select merchant_id from vault.processor_accounts', []),
    (rows) => rows.every(({ merchant_id }) => merchant_id !== null),
  );
}

/** Waits until a report of the name has no line to compare, or is refused. */
export async function waitForReport(
  { db }: ReportStack,
  clock: ReturnType<typeof createClockAhead>,
  name: string,
): Promise<Row> {
  const [row] = await eventually(
    () => {
      clock.wake();
      return db.query('select * from processor_reports where name = $1', [name]);
    },
    ([report]) => ['compared', 'refused'].includes(report?.status as string),
    { max_wait_ms: 30_000, pause_ms: 100 },
  );
  return row as Row;
}

/** Kinds and amounts of transfers with which reports settle payments, by kind. */
export async function listSettled({ client }: ReportStack, payment: string): Promise<unknown[][]> {
  const path = `/v2/ledger_transfers?filter[payment_demand]=${payment}&sort=created_at`;
  const { body } = await client.get(path);
  return body.data
    .map(({ attributes }: ResourceObject) => [attributes.kind, attributes.amount_cents])
    .filter(([kind]: [string]) => kind.includes('settled'))
    .sort();
}

/** Kinds of the exceptions of a payment. */
export async function listExceptionKinds(
  { client }: ReportStack,
  payment: string,
): Promise<unknown[]> {
  const { body } = await client.get(`/v2/settlement_exceptions?filter[payment_demand]=${payment}`);
  return body.data.map(({ attributes }: ResourceObject) => attributes.kind);
}

/** Sums of reports in the operator's ledger, in units of 10⁻⁸, by kind. */
export async function sumTransfers(
  { db }: ReportStack,
  currency: string,
): Promise<Readonly<Record<string, bigint>>> {
  const rows = await db.query(
    `select kind, sum(case debit_account when 'processor' then amount else -amount end) as sum
     from processor_transfers where currency = $1 group by kind`,
    [currency],
  );
  return Object.fromEntries(rows.map(({ kind, sum }) => [kind, BigInt(sum as string)]));
}

/** Rules of the ledger that records break. */
export async function listBrokenRules({ db }: ReportStack): Promise<string[]> {
  const checks = await verifyLedger(db);
  return checks.flatMap(({ noun, differences }) => (differences.length > 0 ? [noun] : []));
}
