import { createHash, randomInt } from 'node:crypto';

/** Number of recovery codes per account. */
export const RECOVERY_CODES = 10;
/** Alphabet without ambiguous letters: 16 characters have 80 bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 16;
const GROUP = 4;

/** New code, such as `ab2d-9xyz-mnpq-3456`. */
function newCode(): string {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return characters.join('').replace(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-');
}

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newCode);

/**
 * Hash of a code; ignores case and separators. Codes are random and long, so a fast hash suffices.
 */
export const recoveryCodeHash = (code: string): string =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('hex');
