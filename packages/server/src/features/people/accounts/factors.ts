import type { Db } from '../../../platform/database/db.ts';
import { findFactors } from '../sql/second-factors.ts';

/** What a person shows besides the password. */
export type Factor = 'totp' | 'passkey' | 'recovery_code';

/** What the account must show one of at a sign-in with its password; none where it has set up nothing. */
export async function factorsOf(db: Db, account_id: string): Promise<readonly Factor[]> {
  const { totp, passkeys, codes_left } = await findFactors(db, account_id);
  if (!totp && !passkeys) return [];
  return [
    ...(totp ? (['totp'] as const) : []),
    ...(passkeys ? (['passkey'] as const) : []),
    ...(codes_left > 0 ? (['recovery_code'] as const) : []),
  ];
}
