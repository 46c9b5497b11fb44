const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const NATIONAL = /^[0-9]{4,17}$/;
const BIC = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/;
const ABA = /^\d{9}$/;
/**
 * Digits per step of the modulo calculation. A JavaScript number holds them with the previous
 * remainder exactly.
 */
const STEP = 7;

/**
 * Normalizes an account number, IBAN or national: upper case, no blanks or hyphens. Undefined if
 * malformed.
 */
export function accountNumberOf(text: string): string | undefined {
  const number = text.replace(/[\s-]/g, '').toUpperCase();
  if (NATIONAL.test(number)) return number;
  return IBAN.test(number) && isIban(number) ? number : undefined;
}

/** Normalizes a routing number (ABA) or BIC. Undefined if malformed. */
export function routingNumberOf(text: string): string | undefined {
  const number = text.replace(/\s/g, '').toUpperCase();
  if (BIC.test(number)) return number;
  return ABA.test(number) && isAba(number) ? number : undefined;
}

/**
 * ISO 13616 checksum: move the first four characters to the end, read letters as numbers; modulo 97
 * must be 1.
 */
function isIban(number: string): boolean {
  const digits = (number.slice(4) + number.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  let remainder = '';
  for (let at = 0; at < digits.length; at += STEP) {
    remainder = String(Number(remainder + digits.slice(at, at + STEP)) % 97);
  }
  return remainder === '1';
}

/** Checksum of an ABA number: the sum of its digits, weighted 3, 7, 1, is a multiple of ten. */
function isAba(number: string): boolean {
  const weights = [3, 7, 1];
  const sum = [...number].reduce(
    (total, digit, at) => total + Number(digit) * (weights[at % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}
