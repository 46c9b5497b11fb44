import { Secret, TOTP } from 'otpauth';
import type { Micros } from '../../../platform/time/clock.ts';

/** RFC 6238 with the values that all authenticators support: SHA-1, six digits, thirty seconds. */
const DIGITS = 6;
const PERIOD_SECONDS = 30;
/** Accepted difference between the clocks, in steps. */
const DRIFT_STEPS = 1;
const SECRET_BYTES = 20;
const MILLIS = 1_000;

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Address for an authenticator's QR code. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString();

/**
 * Step of a valid code; undefined if invalid. The caller stores the step, so that each code works
 * once.
 */
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
