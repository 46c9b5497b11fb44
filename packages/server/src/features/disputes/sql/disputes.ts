import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { asUuid } from '../../../platform/database/uuid-text.ts';

/** Whose news are read. */
export interface NewsSource {
  readonly processor: string;
  readonly mode: 'live' | 'sandbox';
}

/** How far the news have been read: 0 at first. */
export async function positionOf(db: Db, { processor, mode }: NewsSource): Promise<number> {
  const [row] = await db.query(
    'select position from processor_news where processor = $1 and mode = $2',
    [processor, mode],
    'news_position',
  );
  return Number(row?.position ?? 0);
}

/** How far the news have been read, locked so that one worker reads at a time; undefined while another one does. */
export async function lockPosition(
  tx: Db,
  { processor, mode }: NewsSource,
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
  { processor, mode }: NewsSource,
  position: number,
): Promise<void> {
  await tx.query(
    'update processor_news set position = $3 where processor = $1 and mode = $2',
    [processor, mode, position],
    'move_news',
  );
}

/** Has the news of a mode be read from the beginning, as those of another network are. */
export async function rereadDisputes(tx: Db, mode: NewsSource['mode']): Promise<void> {
  await tx.query('update processor_news set position = 0 where mode = $1', [mode], 'reread_news');
}

/** Of an authorisation `a` with its payment `p`: nobody knows yet whether it is approved, or whether that is captured. */
export const IS_UNDECIDED = `(a.status in ('sending', 'unknown', 'reversing')
  or a.status = 'approved' and p.status in ('processing', 'authorised'))`;

/** The authorisation by that name, with its status and whether that `is_undecided`: processors know nothing of merchants. */
export async function findAuthorisation(
  tx: Db,
  { processor, mode }: NewsSource,
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

/** The dispute by the processor's name of it. */
export async function findDispute(
  tx: Db,
  { processor, mode }: NewsSource,
  reference: string,
): Promise<Row | undefined> {
  const [row] = await tx.query(
    'select merchant_id, id, payment_demand_id from disputes where processor = $1 and mode = $2 and reference = $3',
    [processor, mode, reference],
    'find_dispute',
  );
  return row;
}
