import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

export interface NewAccountEmail {
  readonly id: string;
  readonly kind: string;
  readonly to_email: string;
  readonly locale: string | undefined;
  /** Facts of the email as JSON, without secrets. */
  readonly facts: string;
  readonly at: string;
}

/** Stores an email that is due now. Default language: that of the address's account. */
export async function insertAccountEmail(db: Db, email: NewAccountEmail): Promise<void> {
  const { id, kind, to_email, locale, facts, at } = email;
  await db.query(
    `with new_letter as materialized (select $1::uuid, $2::text, $3::text, coalesce($4::text,
       (select a.locale from accounts a where lower(a.email) = lower($3)), 'en'), $5::jsonb, $6::timestamptz as at,
       $6::timestamptz as created_at)
     insert into account_letters (id, kind, to_email, locale, facts, due_at, created_at)
     select * from new_letter`,
    [id, kind, to_email, locale, facts, at],
    'insert_account_letter',
  );
}

/** Claims due emails until `lease_until`. */
export const claimAccountEmails = (
  db: Db,
  claim: { readonly now: string; readonly lease_until: string; readonly limit: number },
): Promise<Row[]> =>
  db.query(
    `update account_letters set due_at = $2 where id in (
       select id from account_letters where due_at <= $1 order by due_at limit $3
       for no key update skip locked)
     returning *`,
    [claim.now, claim.lease_until, claim.limit],
    'claim_account_letters',
    'kept',
  );

/** Outcome of one attempt to send an email. */
export interface AccountEmailOutcome {
  readonly due_at: string | null;
  readonly sent_at: string | null;
  readonly failure_reason: string | null;
  /** Sealed content of the email, for the test mailbox. */
  readonly body: string | null;
}

export async function recordAccountEmailOutcome(
  db: Db,
  id: string,
  { due_at, sent_at, failure_reason, body }: AccountEmailOutcome,
): Promise<void> {
  await db.query(
    `update account_letters set due_at = $2, sent_at = $3, failure_reason = $4, body = $5,
       tries_count = tries_count + 1 where id = $1`,
    [id, due_at, sent_at, failure_reason, body],
    'conclude_account_letter',
  );
}

/** Emails in the test mailbox, newest first. */
export const storedAccountEmails = (db: Db, limit: number): Promise<Row[]> =>
  db.query(
    `select id, kind, to_email, locale, body, sent_at from account_letters
     where body is not null order by created_at desc, id desc limit $1`,
    [limit],
    'kept_account_letters',
  );

/** Deletes emails that finished before `cutoff`. Returns the number of deleted rows. */
export async function pruneAccountEmails(db: Db, cutoff: string, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from account_letters where id in (select id from account_letters
       where created_at < $1 and due_at is null order by created_at, id limit $2) returning id`,
    [cutoff, limit],
    'prune_account_emails',
  );
  return rows.length;
}
