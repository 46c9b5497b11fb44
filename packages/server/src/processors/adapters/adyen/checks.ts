import type { CardChecks } from '../../port/processor.ts';

type AddressCheck = CardChecks['address_line1_verification'];

/** Numbers of `avsResult` by what they say about the address line, and about the postal code. */
const LINE_MATCHES = [1, 7, 9, 12, 20, 21, 24, 25];
const LINE_DIFFERS = [2, 6, 10, 13, 26];
const POSTAL_CODE_MATCHES = [6, 7, 14, 15, 19, 20, 23, 24];
const POSTAL_CODE_DIFFERS = [1, 2, 16, 17, 26];

const CVC_MATCHES = 1;
const CVC_DIFFERS = 2;

/** Number at the start of a text, such as `20 Name, address and zip match`. NaN without one. */
const numberOf = (text: unknown): number =>
  typeof text === 'string' ? Number(/^\d{1,2}(?!\d)/.exec(text)?.[0] ?? Number.NaN) : Number.NaN;

function addressCheckOf(
  result: number,
  matches: readonly number[],
  differs: readonly number[],
): AddressCheck {
  if (matches.includes(result)) return 'match';
  return differs.includes(result) ? 'mismatch' : 'unverified';
}

function cvcCheckOf(result: number): CardChecks['cvc2_check'] {
  if (result === CVC_MATCHES) return 'match';
  return result === CVC_DIFFERS ? 'mismatch' : 'unprocessed';
}

/** Results of the card's checks by Adyen's `avsResult` and `cvcResult`. */
export function checksOfAdyen(avsResult: unknown, cvcResult: unknown): CardChecks {
  const avs = numberOf(avsResult);
  return {
    cvc2_check: cvcCheckOf(numberOf(cvcResult)),
    address_line1_verification: addressCheckOf(avs, LINE_MATCHES, LINE_DIFFERS),
    postal_code_verification: addressCheckOf(avs, POSTAL_CODE_MATCHES, POSTAL_CODE_DIFFERS),
  };
}
