import type { Db } from '../../../platform/database/db.ts';
import { findFactors } from '../sql/second-factors.ts';

export type Factor = 'totp' | 'passkey' | 'recovery_code';

/** Second factors that complete a sign-in with a password; empty if none is set up. */
export async function factorsOf(db: Db, account_id: string): Promise<readonly Factor[]> {
  const { totp, passkeys, codes_left } = await findFactors(db, account_id);
  if (!totp && !passkeys) return [];
  return [
    ...(totp ? (['totp'] as const) : []),
    ...(passkeys ? (['passkey'] as const) : []),
    ...(codes_left > 0 ? (['recovery_code'] as const) : []),
  ];
}
