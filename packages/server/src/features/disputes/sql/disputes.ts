import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { asUuid } from '../../../platform/database/uuid-text.ts';

/** A processor and mode with one read position for its dispute notifications. */
export interface NotificationSource {
  readonly processor: string;
  readonly mode: 'live' | 'sandbox';
  /** Account of the disputed payment; absent: the simulated network. */
  readonly processor_account_id?: string;
}

/** Read position in a source's notifications; 0 before the first. */
export async function findPosition(
  db: Db,
  { processor, mode }: NotificationSource,
): Promise<number> {
  const [row] = await db.query(
    'select position from processor_news where processor = $1 and mode = $2',
    [processor, mode],
    'news_position',
    'kept',
  );
  return Number(row?.position ?? 0);
}

/**
 * Locks the read position, so that one worker reads at a time. Undefined while another worker has
 * it.
 */
export async function lockPosition(
  tx: Db,
  { processor, mode }: NotificationSource,
): Promise<number | undefined> {
  await tx.query(
    'insert into processor_news values ($1, $2, 0) on conflict do nothing',
    [processor, mode],
    'begin_news',
  );
  const [row] = await tx.query(
    `select position from processor_news where processor = $1 and mode = $2
     for update skip locked`,
    [processor, mode],
    'lock_news',
  );
  return row && Number(row.position);
}

export async function movePosition(
  tx: Db,
  { processor, mode }: NotificationSource,
  position: number,
): Promise<void> {
  await tx.query(
    'update processor_news set position = $3 where processor = $1 and mode = $2',
    [processor, mode, position],
    'move_news',
  );
}

/** Resets a mode's read position to 0, after a change of the network that sends notifications. */
export async function rereadDisputes(tx: Db, mode: NotificationSource['mode']): Promise<void> {
  await tx.query('update processor_news set position = 0 where mode = $1', [mode], 'reread_news');
}

/** SQL: an authorisation `a` with payment `p` has no outcome, or its capture has none. */
export const IS_UNDECIDED = `(a.status in ('sending', 'unknown', 'reversing')
  or a.status = 'approved' and p.status in ('processing', 'authorised'))`;

/**
 * An authorisation by its id alone, since processors know no merchants. Has its status and
 * `is_undecided`.
 */
export async function findAuthorisation(
  tx: Db,
  { processor, mode }: NotificationSource,
  name: string,
): Promise<Row | undefined> {
  const [row] = await tx.query(
    `select a.merchant_id, a.id, a.mode, a.status, a.payment_demand_id, ${IS_UNDECIDED} as is_undecided,
       p.status as payment_status, p.amount_currency as payment_currency
     from attempts a join payment_demands p on p.merchant_id = a.merchant_id and p.id = a.payment_demand_id
     where a.id = ${asUuid('$1::text')} and a.operation = 'authorise' and a.processor = $2 and a.mode = $3`,
    [name, processor, mode],
    'find_authorisation',
  );
  return row;
}

/** The dispute with this id at the processor. */
export async function findDispute(
  tx: Db,
  { processor, mode }: NotificationSource,
  reference: string,
): Promise<Row | undefined> {
  const [row] = await tx.query(
    'select merchant_id, id, status, second_chargeback_at, payment_demand_id from disputes where processor = $1 and mode = $2 and reference = $3',
    [processor, mode, reference],
    'find_dispute',
  );
  return row;
}
