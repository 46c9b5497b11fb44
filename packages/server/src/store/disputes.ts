import type { Db } from './db.ts';
import type { Row } from './row.ts';

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

/** The authorisation of that id, with its status: processors know nothing of merchants. */
export async function findAuthorisation(tx: Db, attempt_id: string): Promise<Row | undefined> {
  const [row] = await tx.query(
    `select merchant_id, id, mode, status, payment_demand_id from attempts
     where id = $1 and operation = 'authorise'`,
    [attempt_id],
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
    'select merchant_id, id from disputes where processor = $1 and mode = $2 and reference = $3',
    [processor, mode, reference],
    'find_dispute',
  );
  return row;
}
