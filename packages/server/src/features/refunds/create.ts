import { createBatcher } from '../../kernel/batcher.ts';
import { insertRecords, type NewRecord } from '../../store/create.ts';
import type { Db } from '../../store/db.ts';
import type { NewEvent } from '../../store/events.ts';
import type { IdempotencyKey } from '../../store/idempotency.ts';
import { refundablesOf } from '../../store/refunds.ts';
import { repeating } from '../../store/repeat.ts';
import type { Row } from '../../store/row.ts';
import { rowsByKey } from '../../store/rows.ts';
import { keyText, lockRows, type RowKey } from '../../store/transition.ts';
import { keyTaken } from '../records/keys.ts';
import { relationshipNotFound } from '../records/pointing.ts';
import type { Services } from '../services.ts';
import { eventAbout } from '../snapshot.ts';
import { decideRefund } from './decide.ts';
import { paymentOf } from './payment-of.ts';

interface RefundItem {
  /** The refund as it was asked for. */
  readonly record: Row;
  readonly idempotency: IdempotencyKey | undefined;
}

/** Gives the stored refund, or rejects with what refuses it. */
export type Refunder = (item: RefundItem) => Promise<Row>;

/**
 * Stores refunds that their payments leave room for. A payment is locked from the look at its refunds until
 * the new one is committed, so that together they never exceed it. Refunds of different payments share a
 * transaction; those of one follow each other.
 */
export const createRefunder = (services: Services): Refunder =>
  createBatcher({
    run: (items: readonly RefundItem[]) => repeating(() => storeAll(services, items)),
    keyOf: ({ record }) => keyText(paymentOf(record)),
  });

const keyOf = ({ merchant_id, id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: id as string,
});

/** What is there of the items afterwards counts, as an earlier run of the same may have stored them. */
function storeAll(services: Services, items: readonly RefundItem[]): Promise<(Row | Error)[]> {
  return services.db.transaction(async (tx) => {
    const decided = await decideAll(services, tx, items);
    const records = decided.filter((one): one is NewRecord => !(one instanceof Error));
    if (records.length > 0) await insertRecords(tx, services.catalog, 'refund_demands', records);
    const own = items.map(({ record }) => keyOf(record));
    const rows = await rowsByKey(tx, 'refund_demands', own);
    const stored = new Map(rows.map((row) => [keyText(row), row]));
    return decided.map((one, at) => {
      const refused = one instanceof Error ? one : keyTaken();
      return stored.get(keyText(own[at] as RowKey)) ?? refused;
    });
  });
}

async function decideAll(
  services: Services,
  tx: Db,
  items: readonly RefundItem[],
): Promise<(NewRecord | Error)[]> {
  const keys = items.map(({ record }) => paymentOf(record));
  const payments = await lockRows(tx, 'payment_demands', keys);
  const own = items.map(({ record }) => record.id as string);
  const refundables = await refundablesOf(tx, keys, own);
  return items.map(({ record, idempotency }) => {
    const key = keyText(paymentOf(record));
    const [payment, refundable] = [payments.get(key), refundables.get(key)];
    if (!payment || payment.mode !== record.mode || !refundable) {
      return relationshipNotFound('payment_demand');
    }
    try {
      const row = decideRefund(record, payment, refundable, services.clock.now());
      return { row, events: [createdEvent(services, row)], idempotency };
    } catch (error) {
      return error as Error;
    }
  });
}

function createdEvent({ models, clock }: Services, row: Row): NewEvent {
  return eventAbout(models.get('refund_demands'), row, 'created', clock.now());
}
