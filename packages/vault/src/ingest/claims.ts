import { SEALED_LIFE_SECONDS } from '@florin/contract/protocol/frame.ts';
import type { Seal } from '../cards/seal-store.ts';
import type { Input } from '../http/input.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import { codeOf, type SealedName, unreadableRefusal } from './open-sealed.ts';

/** Tolerated error of a cardholder's clock, in seconds. */
export const CLOCK_SKEW_SECONDS = 60;

const JTI_PATTERN = /^[\w-]{16,64}$/;

/**
 * Checks id and times of an encrypted value. `now` is in milliseconds. Throws `sealed_card_unreadable` for a
 * malformed value, `sealed_card_expired` for one outside its validity. Codes of network tokens begin with their name.
 */
export function checkSeal(name: SealedName, claims: Input, sid: string, now: number): Seal {
  const { jti, iat, exp } = claims;
  if (typeof jti !== 'string' || !JTI_PATTERN.test(jti)) throw unreadableRefusal(name);
  if (typeof iat !== 'number' || typeof exp !== 'number') throw unreadableRefusal(name);
  if (!(exp > iat && exp - iat <= SEALED_LIFE_SECONDS)) throw unreadableRefusal(name);
  const nowSeconds = now / 1000;
  if (nowSeconds > exp + CLOCK_SKEW_SECONDS) throw expiredRefusal(name, 'has expired');
  if (nowSeconds < iat - CLOCK_SKEW_SECONDS) throw expiredRefusal(name, 'is dated in the future');
  const expires_at = new Date((exp + CLOCK_SKEW_SECONDS) * 1000);
  return { jti, sid, expires_at, replayedCode: `${codeOf(name)}_replayed` };
}

const expiredRefusal = (name: SealedName, fault: string): VaultRefusal =>
  new VaultRefusal(`${codeOf(name)}_expired`, `${name} ${fault}.`);
