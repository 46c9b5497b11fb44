import type { Requester } from '../../../platform/caller.ts';
import type { Db } from '../../../platform/database/db.ts';
import { isTrue, type Row } from '../../../platform/database/row.ts';
import type { RowKey } from '../../../platform/database/row-key.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { settingsColumns, settingsOf } from '../../merchants/sql/callers.ts';
import type { SignedInPerson } from './sessions.ts';

type Mode = Scope['mode'];

/** A signed-in person as a member of one merchant. */
export interface Member extends Requester {
  readonly person: SignedInPerson;
  /** Undefined for an operator who is no member. */
  readonly membership_id: string | undefined;
  /** See `Membership.sandbox_only`. */
  readonly sandbox_only: boolean;
  /** Whether live permissions wait for a second factor. */
  readonly lacks_factor: boolean;
}

/** A person's relation to a merchant. */
export interface Membership extends Pick<Requester, 'settings'> {
  /** Undefined if the person is no member. */
  readonly permissions: Requester['permissions'] | undefined;
  /**
   * Whether the membership was granted in the sandbox. Such a membership covers nothing that live
   * mode shares.
   */
  readonly sandbox_only: boolean;
  /** Time of acceptance; undefined if the person is no member. */
  readonly accepted_at: string | undefined;
  readonly membership_id: string | undefined;
}

/** Reads the account's relation to the merchant; undefined if the merchant does not exist. */
export async function membershipOf(
  db: Db,
  account_id: string,
  { merchant_id, mode }: Scope,
): Promise<Membership | undefined> {
  const [row] = await db.query(
    `select b.id, b.opener, b.permissions, b.invited_mode, b.accepted_at,
       ${settingsColumns('$3')}
     from merchants m
       left join memberships b
         on b.merchant_id = m.id and b.account_id = $1 and b.accepted_at is not null
     where m.id = $2`,
    [account_id, merchant_id, mode],
    'membership_of',
  );
  if (!row) return undefined;
  return {
    permissions: row.opener == null ? undefined : grantedPermissions(row, mode),
    settings: settingsOf(row, mode),
    sandbox_only: !isTrue(row.opener) && row.invited_mode === 'sandbox',
    accepted_at: row.accepted_at ?? undefined,
    membership_id: row.id ?? undefined,
  };
}

/**
 * Permissions of a member in a mode. The opener has all; a membership granted in the sandbox has
 * none in live mode.
 */
export function grantedPermissions(
  { opener, permissions, invited_mode }: Row,
  mode: Mode,
): Requester['permissions'] {
  if (isTrue(opener)) return 'all';
  if (invited_mode === 'sandbox' && mode === 'live') return new Set();
  return new Set(JSON.parse(permissions ?? '[]') as string[]);
}

/** Accepts an invitation. Returns false unless it was open and belonged to this account. */
export async function acceptInvitation(
  db: Db,
  { merchant_id, id }: RowKey,
  { account_id, at }: { readonly account_id: string; readonly at: string },
): Promise<boolean> {
  const rows = await db.query(
    `update memberships set accepted_at = $4, updated_at = $4
     where merchant_id = $1 and id = $2 and account_id = $3 and accepted_at is null
       and removed_at is null returning id`,
    [merchant_id, id, account_id, at],
    'accept_invitation',
  );
  return rows.length > 0;
}

/** A member with the permissions in a mode; undefined for members who have left, or have another address by now. */
export async function findNotifiedMember(
  db: Db,
  { merchant_id, id, email }: RowKey & { readonly email: string },
  mode: Mode,
): Promise<
  | {
      readonly permissions: Requester['permissions'];
      readonly business: string;
      readonly timezone: string;
    }
  | undefined
> {
  const [row] = await db.query(
    `select b.opener, b.permissions, b.invited_mode, m.business_name, m.business_timezone
     from memberships b join merchants m on m.id = b.merchant_id join accounts a on a.id = b.account_id
     where b.merchant_id = $1 and b.id = $2 and b.accepted_at is not null and b.removed_at is null
       and lower(a.email) = lower($3)`,
    [merchant_id, id, email],
    'notified_member',
  );
  return (
    row && {
      permissions: grantedPermissions(row, mode),
      business: row.business_name ?? '',
      timezone: row.business_timezone as string,
    }
  );
}

/** Finds an open invitation, with the merchant's name. */
export async function openInvitation(
  db: Db,
  { merchant_id, id }: RowKey,
): Promise<Row | undefined> {
  const [row] = await db.query(
    `select b.account_id, b.email, m.business_name
     from memberships b join merchants m on m.id = b.merchant_id
     where b.merchant_id = $1 and b.id = $2 and b.accepted_at is null and b.removed_at is null`,
    [merchant_id, id],
    'open_invitation',
  );
  return row;
}
