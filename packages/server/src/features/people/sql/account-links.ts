import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

export const linkPurposes = [
  'verify_email',
  'reset_password',
  'invitation',
  'change_email',
  'operator',
] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export interface NewLink {
  readonly id: string;
  readonly account_id: string;
  readonly purpose: LinkPurpose;
  readonly token_hash: string;
  readonly email?: string | undefined;
  readonly merchant_id?: string | undefined;
  readonly membership_id?: string | undefined;
  readonly at: string;
  readonly expires_at: string;
}

/** Stores a link. Replaces earlier links of the invitation, or of the account and purpose. */
export async function insertLink(tx: Db, link: NewLink): Promise<void> {
  const { account_id, purpose, membership_id } = link;
  await tx.query(
    `delete from account_links where account_id = $1 and purpose = $2
       and membership_id is not distinct from $3::uuid`,
    [account_id, purpose, membership_id],
    'replace_links',
  );
  await tx.query(
    `insert into account_links
       (id, account_id, purpose, token_hash, email, merchant_id, membership_id, created_at, expires_at)
     values ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, $8, $9)`,
    [
      link.id,
      account_id,
      purpose,
      link.token_hash,
      link.email,
      link.merchant_id,
      membership_id,
      link.at,
      link.expires_at,
    ],
    'insert_link',
  );
}

/** Finds a valid link with its account. The membership of an invitation may have been removed. */
export async function findAccountLink(
  global: Db,
  token_hash: string,
  now: string,
): Promise<Row | undefined> {
  const [row] = await global.query(
    `select l.id, l.account_id, l.purpose, l.email as new_email, l.merchant_id, l.membership_id,
       a.email, a.name, a.account_status, a.locale
     from account_links l join accounts a on a.id = l.account_id
     where l.token_hash = decode($1, 'hex') and l.used_at is null and l.expires_at > $2
       and a.account_status in ('active', 'pending')`,
    [token_hash, now],
    'find_link',
  );
  return row;
}

/** Merchant of an invitation; undefined for other links. */
export async function merchantOfLink(global: Db, token_hash: string): Promise<string | undefined> {
  const [row] = await global.query(
    `select merchant_id from account_links where token_hash = decode($1, 'hex')`,
    [token_hash],
    'merchant_of_link',
    'kept',
  );
  return row?.merchant_id ?? undefined;
}

/** Name of the merchant of an invitation; undefined if the membership was removed. */
export async function findInvitingMerchant(
  cell: Db,
  merchant_id: string,
  membership_id: string,
): Promise<Row | undefined> {
  const [row] = await cell.query(
    `select m.business_name from memberships b join merchants m on m.id = b.merchant_id
     where b.merchant_id = $1 and b.id = $2 and b.removed_at is null`,
    [merchant_id, membership_id],
    'inviting_merchant',
  );
  return row;
}

/** Marks a link as used. Returns false if it was no longer valid. */
export async function consumeLink(tx: Db, id: string, at: string): Promise<boolean> {
  const rows = await tx.query(
    `update account_links set used_at = $2
     where id = $1 and used_at is null and expires_at > $2 returning id`,
    [id, at],
    'take_link',
  );
  return rows.length > 0;
}

/** Deletes an account's unused links for a purpose. */
export async function endLinks(tx: Db, account_id: string, purpose: LinkPurpose): Promise<void> {
  await tx.query(
    'delete from account_links where account_id = $1 and purpose = $2 and used_at is null',
    [account_id, purpose],
    'end_links',
  );
}
