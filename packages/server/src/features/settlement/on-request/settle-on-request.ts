import { problem } from '@florin/contract/errors.ts';
import type { SettledOnRequest } from '@florin/contract/settled-on-request.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { insertRows } from '../../../platform/database/rows.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { findPayableOf, lockHorizon, needsSeveralSteps } from '../../ledger/sql/balances.ts';
import { addNextSlice } from '../../ledger/workers/balance.ts';
import { appendSettlements } from '../append-settlements.ts';
import { dayOf } from '../days.ts';
import { PAYOUT_LEAST_CENTS, payoutOf, settledRange, settlingTransfer } from '../decide.ts';
import { storePayouts } from '../pay-out.ts';
import {
  fileProgressOf,
  REQUESTED_SOURCE,
  readUnsettledOf,
  type SettlementSource,
} from '../sql.ts';
import { lastRequestedLine, lockSettlement } from './sql.ts';

/** Maximum number of transfers that one transaction settles. */
const SLICE_MAX = 500;
/** Maximum number of transactions of one request. */
const SLICES_MAX = 40;

/**
 * Settles what the simulated network has captured, refunded or lost in a merchant's sandbox, and pays it out. Each slice
 * is a transaction: a crash leaves the rest to the next request, or to the daily settlement. Throws 405 where no
 * simulated network exists.
 */
export async function settleOnRequest(
  services: Services,
  merchant_id: string,
): Promise<SettledOnRequest> {
  const { db, clock } = services;
  const source = sourceOf(services);
  const now = clock.now();
  const times = { today: dayOf(now), now: instantText(now) };
  const { day } = await fileProgressOf(db, source, times);
  // Earlier days are settled, or their differences are exceptions.
  const { from } = settledRange(day as string);
  let settled_count = 0;
  let has_more = true;
  for (let slice = 0; has_more && slice < SLICES_MAX; slice += 1) {
    const count = await settleSlice(services, source, { merchant_id, from });
    settled_count += count;
    has_more = count === SLICE_MAX;
  }
  const payouts = await payOutOnRequest(services, source, merchant_id);
  await addNextSlice(services);
  return {
    settled_count,
    payouts: (payouts ?? []).map(viewOf),
    has_more: has_more || payouts === undefined,
  };
}

function sourceOf({ processorOf }: Services): SettlementSource {
  const processor = processorOf('sandbox');
  if (processor) return { processor: processor.metadata.name, mode: 'sandbox' };
  throw problem(
    'invalid_state',
    'This installation has no simulated network. Settlement follows the reports of processors.',
  );
}

const viewOf = ({ id, amount_cents, amount_currency }: Row) => ({
  id: id as string,
  amount_cents: Number(amount_cents),
  amount_currency: amount_currency as string,
});

interface Slice {
  readonly merchant_id: string;
  /** Time of the oldest transfer that may be unsettled. */
  readonly from: string;
}

/** Settles the next transfers of a merchant. Returns their number. */
const settleSlice = (
  services: Services,
  source: SettlementSource,
  { merchant_id, from }: Slice,
): Promise<number> =>
  services.db.transaction(async (tx) => {
    await lockSettlement(tx, source);
    const unsettled = await readUnsettledOf(tx, merchant_id, from, SLICE_MAX);
    const now = services.clock.now();
    await appendSettlements(
      services,
      tx,
      unsettled.map((transfer) => settlingTransfer(transfer, now)),
    );
    await storeLines(services, tx, unsettled, now);
    return unsettled.length;
  });

/** Stores the lines that the ledger's check expects for settled transfers. */
async function storeLines(
  { catalog }: Services,
  tx: Db,
  transfers: readonly Row[],
  now: Micros,
): Promise<void> {
  const day = dayOf(now);
  const last = await lastRequestedLine(tx, day);
  const lines = transfers.map((transfer, index): Row => {
    const { mode = null, entry = null, reference = null, merchant_id = null } = transfer;
    const { source_id = null, amount_cents = null, amount_currency = null } = transfer;
    return {
      processor: REQUESTED_SOURCE,
      mode,
      day,
      line: String(last + index + 1),
      entry,
      reference,
      authorisation: reference,
      amount_cents,
      amount_currency,
      outcome: 'settled',
      compared_on: day,
      merchant_id,
      source_id,
    };
  });
  await insertRows(tx, catalog, 'settlement_entries', lines);
}

/** Pays out a merchant's available amounts. Undefined if the balances lack too many transfers to sum at once. */
const payOutOnRequest = (
  services: Services,
  source: SettlementSource,
  merchant_id: string,
): Promise<readonly Row[] | undefined> =>
  services.db.transaction(async (tx) => {
    await lockSettlement(tx, source);
    if (await needsSeveralSteps(tx)) return undefined;
    const { from: horizon } = await lockHorizon(tx);
    const least_cents = PAYOUT_LEAST_CENTS;
    const balances = await findPayableOf(tx, merchant_id, { least_cents, horizon });
    const now = services.clock.now();
    const requested_at = instantText(now);
    const payouts = balances.map((balance) => ({
      ...payoutOf(balance, dayOf(now), now),
      requested_at,
    }));
    await storePayouts(services, tx, payouts, now);
    return payouts;
  });
