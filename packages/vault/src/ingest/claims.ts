import { SEALED_LIFE_SECONDS } from '@florin/contract/protocol/frame.ts';
import type { Seal } from '../cards/seal-store.ts';
import type { Input } from '../http/input.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import { claimRefusal, codeOf, type SealedName } from './open-sealed.ts';

/** Tolerated error of a cardholder's clock, in seconds. */
export const CLOCK_SKEW_SECONDS = 60;

const JTI_PATTERN = /^[\w-]{16,64}$/;

const RULES = {
  jti: 'a text of 16 to 64 letters, digits, `-` and `_`',
  iat: 'a number of seconds since 1970',
  exp: `a number of seconds since 1970, after \`iat\` by at most ${SEALED_LIFE_SECONDS}`,
} as const;

/**
 * Checks id and times of an encrypted value. `now` is in milliseconds. Throws `sealed_card_unreadable` for a
 * malformed value, `sealed_card_expired` for one outside its validity. Codes of network tokens begin with their name.
 */
export function checkSeal(name: SealedName, claims: Input, sid: string, now: number): Seal {
  const { jti, iat, exp } = claims;
  const refusalOf = (claim: keyof typeof RULES) => claimRefusal(name, claims, claim, RULES[claim]);
  if (typeof jti !== 'string' || !JTI_PATTERN.test(jti)) throw refusalOf('jti');
  if (typeof iat !== 'number') throw refusalOf('iat');
  if (typeof exp !== 'number') throw refusalOf('exp');
  if (!(exp > iat && exp - iat <= SEALED_LIFE_SECONDS)) throw refusalOf('exp');
  const nowSeconds = now / 1000;
  if (nowSeconds > exp + CLOCK_SKEW_SECONDS)
    throw expiredRefusal(name, 'has expired', '`exp` is in the past');
  if (nowSeconds < iat - CLOCK_SKEW_SECONDS)
    throw expiredRefusal(name, 'is dated in the future', '`iat` must not be later than now');
  const expires_at = new Date((exp + CLOCK_SKEW_SECONDS) * 1000);
  return { jti, sid, expires_at, replayedCode: `${codeOf(name)}_replayed` };
}

function expiredRefusal(name: SealedName, fault: string, rule: string): VaultRefusal {
  const code = codeOf(name);
  const detail = code === 'network_token' ? `${fault}: ${rule}` : fault;
  return new VaultRefusal(`${code}_expired`, `${name} ${detail}.`);
}
