import type { Db } from '../../../platform/database/db.ts';
import { isTrue } from '../../../platform/database/row.ts';

/** Second factors that an account has. */
export interface Factors {
  readonly totp: boolean;
  readonly passkeys: boolean;
  /** Number of unused recovery codes. */
  readonly codes_left: number;
}

export async function findFactors(db: Db, account_id: string): Promise<Factors> {
  const [row] = await db.query(
    `select a.totp_confirmed_at is not null as totp,
       exists (select 1 from passkeys p where p.account_id = a.id) as passkeys,
       (select count(*) from recovery_codes c where c.account_id = a.id and c.used_at is null) as left
     from accounts a where a.id = $1`,
    [account_id],
    'find_factors',
  );
  return {
    totp: isTrue(row?.totp),
    passkeys: isTrue(row?.passkeys),
    codes_left: Number(row?.left ?? 0),
  };
}

/** Stores an authenticator's secret. The authenticator is inactive until its first code. */
export async function saveTotpSecret(db: Db, account_id: string, secret: string): Promise<boolean> {
  const rows = await db.query(
    `update accounts set totp_secret = $2, totp_step = null
     where id = $1 and totp_confirmed_at is null returning id`,
    [account_id, secret],
    'save_totp_secret',
  );
  return rows.length > 0;
}

/**
 * Accepts the code of a step, once. Refuses the last accepted step and earlier ones. Returns
 * whether it was accepted.
 */
export async function consumeTotpStep(
  db: Db,
  account_id: string,
  { secret, step }: { readonly secret: string; readonly step: number },
): Promise<boolean> {
  const rows = await db.query(
    `update accounts set totp_step = $3
     where id = $1 and totp_secret = $2 and (totp_step is null or totp_step < $3) returning id`,
    [account_id, secret, step],
    'take_totp_step',
  );
  return rows.length > 0;
}

export async function confirmTotp(db: Db, account_id: string, at: string): Promise<void> {
  await db.query(
    'update accounts set totp_confirmed_at = $2, updated_at = $2 where id = $1',
    [account_id, at],
    'confirm_totp',
  );
}

export async function removeTotp(db: Db, account_id: string, at: string): Promise<void> {
  await db.query(
    `update accounts set totp_secret = null, totp_confirmed_at = null, totp_step = null, updated_at = $2
     where id = $1`,
    [account_id, at],
    'remove_totp',
  );
}

/** Replaces the recovery codes with new ones, given as SHA-256 in hex. */
export async function replaceRecoveryCodes(
  tx: Db,
  account_id: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.query(
    'delete from recovery_codes where account_id = $1',
    [account_id],
    'drop_recovery_codes',
  );
  await tx.query(
    `insert into recovery_codes (account_id, code_hash)
     select $1, decode(h, 'hex') from unnest($2::text[]) h`,
    [account_id, hashes],
    'add_recovery_codes',
  );
}

/** Deletes a recovery code. Returns false if it did not exist, so that each code works once. */
export async function consumeRecoveryCode(
  db: Db,
  account_id: string,
  { hash, at }: { readonly hash: string; readonly at: string },
): Promise<boolean> {
  const rows = await db.query(
    `update recovery_codes set used_at = $3
     where account_id = $1 and code_hash = decode($2, 'hex') and used_at is null
     returning account_id`,
    [account_id, hash, at],
    'take_recovery_code',
  );
  return rows.length > 0;
}
