import { appendTransfers } from '../../src/features/ledger/sql/ledger.ts';
import { transferOf } from '../../src/features/ledger/transfers.ts';
import { dayOf } from '../../src/features/settlement/days.ts';
import { missingInFile, payoutOf } from '../../src/features/settlement/decide.ts';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import type { Fixtures } from './merchants.ts';

const DAY_MICROS = 24 * 60 * 60 * 1_000_000;

/** Stores an exception for a payment that is missing from yesterday's file. */
export async function addException(
  { db }: Fixtures,
  merchant_id: string,
  payment_demand_id: string,
): Promise<void> {
  const catalog = await loadCatalog(db);
  const now = systemClock().now();
  const entry = {
    merchant_id,
    mode: 'sandbox',
    amount_currency: 'USD',
    entry: 'capture',
    reference: 'a-capture',
    amount_cents: '100',
    payment_demand_id,
  };
  const exception = missingInFile(entry, dayOf(now - DAY_MICROS), now);
  await insertRows(db, catalog, 'settlement_exceptions', [exception]);
}

/** Stores yesterday's settlement: a payout, and an exception for a payment. */
export async function addSettledDay(
  fixtures: Fixtures,
  merchant_id: string,
  payment_demand_id: string,
): Promise<void> {
  const { db } = fixtures;
  const catalog = await loadCatalog(db);
  const now = systemClock().now();
  const day = dayOf(now - DAY_MICROS);
  const scope: Row = { merchant_id, mode: 'sandbox', amount_currency: 'USD' };
  const payout = payoutOf({ ...scope, available_cents: '100' }, day, now);
  await db.transaction(async (tx) => {
    await insertRows(tx, catalog, 'payouts', [payout]);
    await appendTransfers(tx, catalog, [transferOf('paid_out', payout, '100', null, now)]);
  });
  await addException(fixtures, merchant_id, payment_demand_id);
}
