import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';

/**
 * Locks the open authentication of a payment: in the query to the issuer or in the challenge. A
 * payment has at most one.
 */
export const lockOpenAuthentications = (tx: Db, scope: Scope, payment_id: string): Promise<Row[]> =>
  tx.query(
    `select * from authentications where merchant_id = $1 and mode = $2 and payment_id = $3
       and status in ('asking', 'challenged') for update`,
    [scope.merchant_id, scope.mode, payment_id],
    'lock_open_authentications',
  );

/** The latest authentication of a payment whose issuer was queried. */
export async function findNewestAuthentication(
  db: Db,
  scope: Scope,
  payment_id: string,
): Promise<Row | undefined> {
  const [row] = await db.query(
    `select * from authentications where merchant_id = $1 and mode = $2 and payment_id = $3
       and asked_at is not null order by asked_at desc limit 1`,
    [scope.merchant_id, scope.mode, payment_id],
    'newest_authentication',
  );
  return row;
}

/** Limit of shown authentications. The forms of one payment begin fewer. */
const SHOWN_MAX = 200;

/** Authentications of a payment's forms, oldest first. */
export const listAuthentications = (
  db: Db,
  { merchant_id, mode }: Scope,
  id: string,
): Promise<Row[]> =>
  db.query(
    `select id, status, threeds_version, threeds_status, eci, failure_code, attached_at, asked_at,
       created_at, updated_at
     from authentications
     where merchant_id = $1 and mode = $2 and payment_id = $3 and payment_table = 'payment_demands'
     order by created_at, id limit ${SHOWN_MAX}`,
    [merchant_id, mode, id],
    'authentications_of_payment',
  );

const ENDED = `status in ('authenticated', 'unauthenticated', 'failed', 'abandoned', 'timed_out', 'errored')`;

/** Retention limits. Older data is pruned, at most `limit` rows per step. */
export interface AuthenticationRetention {
  /**
   * Limit for personal data in ended authentications without an attached card, such as after a
   * crash.
   */
  readonly personal_until: string;
  /** Cutoff for counters of the form: a later decline of the card is not counted for the form. */
  readonly counters_until: string;
  /**
   * Cutoff for authentications without a card: fingerprinting, and attempts that were abandoned before
   * they began.
   */
  readonly cardless_until: string;
  readonly until: string;
  readonly limit: number;
}

/** Prunes ended authentications. Returns the row count of the largest step. */
export async function pruneAuthentications(
  db: Db,
  { personal_until, counters_until, cardless_until, until, limit }: AuthenticationRetention,
): Promise<number> {
  const clearedRows = await db.query(
    `with left_over as (select merchant_id, id from authentications
       where (payer_timezone is not null or threeds_cryptogram is not null) and ${ENDED} and updated_at <= $1
         and ${notStopped('merchant_id')} order by updated_at limit $2 for update skip locked)
     update authentications a set payer_timezone = null, threeds_cryptogram = null,
       failure_code = case when attached_at is null then coalesce(failure_code, 'card_not_verified')
         else failure_code end
     from left_over l where a.merchant_id = l.merchant_id and a.id = l.id returning 1`,
    [personal_until, limit],
    'clear_authentications',
  );
  const countedRows = await db.query(
    `with counted as (select merchant_id, id from authentications
       where try_counters is not null and asked_at <= $1 and ${notStopped('merchant_id')}
       order by asked_at limit $2 for update skip locked)
     update authentications a set try_counters = null from counted c
     where a.merchant_id = c.merchant_id and a.id = c.id returning 1`,
    [counters_until, limit],
    'clear_try_counters',
  );
  const cardlessRows = await db.query(
    deleteWhere(
      `card_pan_token is null and status in ('abandoned', 'errored') and created_at <= $1`,
    ),
    [cardless_until, limit],
    'prune_cardless_authentications',
  );
  const oldRows = await db.query(
    deleteWhere(`created_at <= $1 and ${ENDED}`),
    [until, limit],
    'prune_authentications',
  );
  const counts = [clearedRows, countedRows, cardlessRows, oldRows].map(({ length }) => length);
  return Math.max(...counts);
}

const deleteWhere = (condition: string): string =>
  `with over as (select merchant_id, id from authentications where ${condition} and ${notStopped('merchant_id')}
     order by created_at limit $2 for update skip locked)
   delete from authentications a using over o
   where a.merchant_id = o.merchant_id and a.id = o.id returning 1`;
