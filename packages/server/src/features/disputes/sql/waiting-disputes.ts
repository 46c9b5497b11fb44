import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { asUuid } from '../../../platform/database/uuid-text.ts';
import { IS_UNDECIDED, type NotificationSource } from './disputes.ts';

/** Maximum number of notifications per retry. */
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
 * Stores a notification that waits. Later notifications of the dispute replace it. Earlier ones,
 * which another server may have read, do not.
 */
export async function storeWaiting(
  tx: Db,
  source: NotificationSource,
  notification: Row,
): Promise<void> {
  await tx.query(
    `insert into waiting_disputes (processor, mode, created_at, ${COLUMNS.join(', ')})
     values ($1, $2, $3, ${COLUMNS.map((_, at) => `$${at + 4}`).join(', ')})
     on conflict (processor, mode, reference) do update set
       ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
     where waiting_disputes.position <= excluded.position`,
    [
      source.processor,
      source.mode,
      notification.created_at,
      ...COLUMNS.map((name) => notification[name] ?? null),
    ],
    'keep_waiting_dispute',
  );
}

/**
 * Problem of a stored notification. Null while it waits for its payment's outcome; undefined if
 * none is stored.
 */
export async function findProblem(
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

/**
 * Waiting notifications to retry, in order of position: the payment has an outcome now, or the hour
 * of quarantine has passed.
 */
export const findRetriableNotifications = (
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
    'kept',
  );

const UNREADABLE = 'unreadable ';

/**
 * Key of an unreadable notification. Differs from the dispute's key, since the dispute may have
 * readable notifications too.
 */
export const unreadableReference = (reference: string, position: number): string =>
  `${UNREADABLE}${reference} at ${position}`;

/** Deletes waiting and unreadable notifications of a stored dispute up to `position`. */
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
    'prune_waiting_dispute',
  );
}

/** Number of quarantined notifications by mode and problem. */
export const countQuarantinedDisputes = (db: Db): Promise<Row[]> =>
  db.query(
    `select mode, problem, count(*) as count from waiting_disputes
     where problem is not null group by mode, problem`,
    [],
    'quarantined_disputes',
  );
