import { Secret, TOTP } from 'otpauth';
import type { Micros } from '../../../platform/time/clock.ts';

/** RFC 6238 with what all authenticators know: SHA-1, six digits, thirty seconds. */
const DIGITS = 6;
const PERIOD_SECONDS = 30;
/** Steps that a clock may be off by. */
const DRIFT_STEPS = 1;
const SECRET_BYTES = 20;
const MILLIS = 1_000;

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The address that an authenticator reads as a QR code. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString();

/** The step that a code is of, if it is one of now; a code is taken once by taking its step. */
export function totpStep(secret: string, code: string, now: Micros): number | undefined {
  const timestamp = Math.floor(now / MILLIS);
  const delta = totpOf(secret).validate({ token: code, timestamp, window: DRIFT_STEPS });
  if (delta === null) return undefined;
  return Math.floor(timestamp / MILLIS / PERIOD_SECONDS) + delta;
}

const totpOf = (secret: string, label = 'Florin'): TOTP =>
  new TOTP({
    issuer: 'Florin',
    label,
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
