import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { insertUnchecked, newId } from '@florin/dev-env/insert-unchecked.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { duePayment, unknownAttempt } from '../../../../tests/support/due.ts';
import { type Database, openDatabase } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { systemClock } from '../../../platform/time/clock.ts';
import { findOrphans, type UncheckedTable, uncheckedTables } from './orphan-check.ts';

const cleanup = new AsyncDisposableStack();
const now = systemClock().now();
const merchant_id = newId();
let db: Database;
let adminUrl: string;

beforeAll(async () => {
  const clone = cleanup.use(await cloneDatabase());
  adminUrl = clone.adminUrl;
  db = cleanup.use(openDatabase({ url: clone.url, connections_max: 1 }));
});
afterAll(() => cleanup.disposeAsync());

const uncheckedTable = (name: string): UncheckedTable =>
  uncheckedTables.find(({ table }) => table === name) as UncheckedTable;

it('names the tables with unchecked relations once', () => {
  expect(uncheckedTables.map(({ table }) => table).toSorted()).toEqual([
    'attempts',
    'documents',
    'ledger_transfers',
    'letters',
    'webhook_deliveries',
  ]);
});

const attemptOf = (payment: Row): Row => unknownAttempt(payment, now);
const emailOf = ({ id = null }: Row): Row => ({
  ...{ merchant_id, mode: 'sandbox', id: newId(), payment_demand_id: id },
  ...{ kind: 'receipt', status: 'kept', locale: 'en' },
});

const transferOf = ({ id = null }: Row): Row => ({
  ...{ merchant_id, mode: 'sandbox', id: newId(), payment_demand_id: id, source_id: newId() },
  ...{ kind: 'captured', amount_cents: '2500', amount_currency: 'USD' },
  ...{ debit_account: 'processor', credit_account: 'merchant' },
});

it.each([
  ['attempts', attemptOf],
  ['letters', emailOf],
  ['ledger_transfers', transferOf],
])('%s without their payment are found, slice by slice', async (table, rowOf) => {
  const payments = [1, 2, 3, 4].map(() => duePayment(merchant_id, now));
  const [kept, lost] = [payments.slice(0, 2), payments.slice(2)];
  await insertUnchecked(adminUrl, 'payment_demands', ...kept);
  await insertUnchecked(adminUrl, table, ...payments.map(rowOf));
  const counts: number[] = [];
  const orphans = await findOrphans(db, uncheckedTable(table), {
    rows_max: 2,
    checked: (count) => void counts.push(count),
  });
  expect(orphans.map((row) => row.payment_demand_id).toSorted()).toEqual(
    lost.map(({ id }) => id).toSorted(),
  );
  expect(counts.reduce((sum, count) => sum + count)).toBe(payments.length);
  expect(Math.max(...counts)).toBe(2);
});
