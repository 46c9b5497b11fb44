import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { asUuid } from '../../../platform/database/uuid-text.ts';
import { IS_UNDECIDED, type NewsSource } from './disputes.ts';

/** Rows that are taken up again at once. */
const TAKEN_MAX = 100;

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

/** Keeps what a processor told of a dispute. Later news of the same dispute replace it; earlier ones, which a server may have read before, do not. */
export async function keepWaiting(tx: Db, source: NewsSource, news: Row): Promise<void> {
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

/** The problem of a dispute that is kept; null where it waits for its payment, undefined where it is not kept. */
export async function problemOf(
  tx: Db,
  { processor, mode }: NewsSource,
  reference: string,
): Promise<string | null | undefined> {
  const [row] = await tx.query(
    'select problem from waiting_disputes where processor = $1 and mode = $2 and reference = $3',
    [processor, mode, reference],
    'waiting_problem',
  );
  return row?.problem;
}

/** Those whose payments have an outcome by now, or that are to be tried again, in the order in which they were told of. */
export const decidedDisputes = (
  db: Db,
  { processor, mode }: NewsSource,
  now: string,
): Promise<Row[]> =>
  db.query(
    `select w.* from waiting_disputes w where w.processor = $1 and w.mode = $2
       and (w.problem is null or w.due_at <= $3) and not exists (
       select from attempts a join payment_demands p on p.merchant_id = a.merchant_id and p.id = a.payment_demand_id
       where a.id = ${asUuid('w.attempt_id')} and a.operation = 'authorise' and ${IS_UNDECIDED})
     order by w.position limit ${TAKEN_MAX}`,
    [processor, mode, now],
    'decided_disputes',
  );

const UNREADABLE = 'unreadable ';

/** What unreadable news are kept as: beside what is known of the dispute, as they may say anything of it. */
export const unreadableName = (reference: string, position: number): string =>
  `${UNREADABLE}${reference} at ${position}`;

/** Removes news of a dispute that is stored up to `position`, those that could not be read included. */
export async function forgetWaiting(
  tx: Db,
  { processor, mode }: NewsSource,
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

/** How many disputes are kept with a problem, by mode and problem. */
export const quarantinedDisputes = (db: Db): Promise<Row[]> =>
  db.query(
    `select mode, problem, count(*) as count from waiting_disputes
     where problem is not null group by mode, problem`,
    [],
    'quarantined_disputes',
  );
