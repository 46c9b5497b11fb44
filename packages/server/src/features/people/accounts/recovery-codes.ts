import { createHash, randomInt } from 'node:crypto';

/** Recovery codes of one account. */
export const RECOVERY_CODES = 10;
/** Without ambiguous letters: 16 characters are 80 bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 16;
const GROUP = 4;

/** A code such as `ab2d-9xyz-mnpq-3456`. */
function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return letters.join('').replace(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-');
}

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newCode);

/**
 * Stored hash of a code, independent of spelling. Codes are random and long, so a plain hash is
 * enough.
 */
export const recoveryCodeHash = (code: string): string =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('hex');
