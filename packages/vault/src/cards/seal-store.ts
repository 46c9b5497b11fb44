import type { VaultErrorCode } from '@florin/contract/protocol/vault.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import type { Purpose } from './record.ts';
import { createToken } from './token.ts';

/** Single-use mark of an encrypted value or wallet token. */
export interface Seal {
  readonly jti: string;
  readonly sid: string;
  readonly expires_at: Date;
  /** Error code of a second use by another session or merchant. */
  readonly replayedCode: Extract<VaultErrorCode, `${string}_replayed`>;
  /** Explains a second use to merchants. Absent: a general text. */
  readonly replayedDetail?: string;
}

export interface ClaimedToken {
  readonly token: string;
  /** False if the same session used the seal before; `token` is then the token of the first use. */
  readonly isNew: boolean;
}

interface SealRow extends Scope {
  readonly sid: string;
  readonly purpose: Purpose;
  readonly token: string;
}

/**
 * Marks a seal as used and returns its token. A concurrent call waits for the first. Throws the seal's
 * `replayedCode` if another session or merchant used it.
 */
export async function claimSeal(
  tx: Db,
  scope: Scope,
  purpose: Purpose,
  seal: Seal,
): Promise<ClaimedToken> {
  const candidateToken = createToken(purpose);
  // `do nothing` would not return an existing row. This update locks and returns the row, and waits for a
  // concurrent insert.
  const [sealRow] = await tx.query<SealRow>(
    `insert into vault.sealed_seen (jti, merchant_id, mode, sid, purpose, token, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (jti) do update set jti = excluded.jti
     returning merchant_id, mode, sid, purpose, token`,
    [seal.jti, scope.merchant_id, scope.mode, seal.sid, purpose, candidateToken, seal.expires_at],
    'claim-seal',
  );
  const isSameUse =
    sealRow?.merchant_id === scope.merchant_id &&
    sealRow.mode === scope.mode &&
    sealRow.sid === seal.sid &&
    sealRow.purpose === purpose;
  if (!isSameUse) throw replayedRefusal(seal, `The ${purpose} was already used. Send a new one.`);
  return { token: sealRow.token, isNew: sealRow.token === candidateToken };
}

export const replayedRefusal = (seal: Seal, detail: string): VaultRefusal =>
  new VaultRefusal(seal.replayedCode, seal.replayedDetail ?? detail);

/** Deletes expired seals. Returns the number deleted. */
export async function sweepSeals(db: Db, now: number): Promise<number> {
  const deletedRows = await db.query(
    'delete from vault.sealed_seen where expires_at <= $1 returning jti',
    [new Date(now)],
  );
  return deletedRows.length;
}
