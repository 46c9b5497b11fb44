import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { asUuid } from '../../../platform/database/uuid-text.ts';
import { IS_UNDECIDED, type NotificationSource } from './disputes.ts';

/** Rows that one step retries. */
const BATCH_MAX = 100;

const COLUMNS = [
  'reference',
  'position',
  'attempt_id',
  'reason',
  'amount_cents',
  'amount_currency',
  'status',
  'problem',
  'due_at',
] as const;

/**
 * Stores a notification. Later ones of the same dispute replace it; earlier ones, read by another
 * server before, do not.
 */
export async function storeWaiting(tx: Db, source: NotificationSource, news: Row): Promise<void> {
  await tx.query(
    `insert into waiting_disputes (processor, mode, created_at, ${COLUMNS.join(', ')})
     values ($1, $2, $3, ${COLUMNS.map((_, at) => `$${at + 4}`).join(', ')})
     on conflict (processor, mode, reference) do update set
       ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
     where waiting_disputes.position <= excluded.position`,
    [source.processor, source.mode, news.created_at, ...COLUMNS.map((name) => news[name] ?? null)],
    'keep_waiting_dispute',
  );
}

/** Problem of a stored notification; null if it waits for its payment, undefined if not stored. */
export async function problemOf(
  tx: Db,
  { processor, mode }: NotificationSource,
  reference: string,
): Promise<string | null | undefined> {
  const [row] = await tx.query(
    'select problem from waiting_disputes where processor = $1 and mode = $2 and reference = $3',
    [processor, mode, reference],
    'waiting_problem',
  );
  return row?.problem;
}

/** Notifications whose payments have an outcome by now, or that are to be retried, in order. */
export const decidedDisputes = (
  db: Db,
  { processor, mode }: NotificationSource,
  now: string,
): Promise<Row[]> =>
  db.query(
    `select w.* from waiting_disputes w where w.processor = $1 and w.mode = $2
       and (w.problem is null or w.due_at <= $3) and not exists (
       select from attempts a join payment_demands p on p.merchant_id = a.merchant_id and p.id = a.payment_demand_id
       where a.id = ${asUuid('w.attempt_id')} and a.operation = 'authorise' and ${IS_UNDECIDED})
     order by w.position limit ${BATCH_MAX}`,
    [processor, mode, now],
    'decided_disputes',
  );

const UNREADABLE = 'unreadable ';

/** Key of an unreadable notification: separate from the dispute's, since its content is unknown. */
export const unreadableName = (reference: string, position: number): string =>
  `${UNREADABLE}${reference} at ${position}`;

/** Deletes notifications of a stored dispute up to `position`, unreadable ones included. */
export async function deleteWaiting(
  tx: Db,
  { processor, mode }: NotificationSource,
  reference: string,
  position: number,
): Promise<void> {
  await tx.query(
    `delete from waiting_disputes where processor = $1 and mode = $2 and position <= $5
       and (reference = $3 or starts_with(reference, $4))`,
    [processor, mode, reference, `${UNREADABLE}${reference} at `, position],
    'forget_waiting_dispute',
  );
}

/** Number of quarantined notifications, by mode and problem. */
export const quarantinedDisputes = (db: Db): Promise<Row[]> =>
  db.query(
    `select mode, problem, count(*) as count from waiting_disputes
     where problem is not null group by mode, problem`,
    [],
    'quarantined_disputes',
  );
