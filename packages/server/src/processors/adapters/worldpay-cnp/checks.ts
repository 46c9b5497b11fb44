import type { CardChecks } from '../../port/processor.ts';

type AddressCheck = CardChecks['address_line1_verification'];

/** `avsResult` by result: of the address line, then of the postal code. Others verify nothing. */
const addressResults = new Map<string, readonly [AddressCheck, AddressCheck]>(
  Object.entries({
    '00': ['match', 'match'],
    '01': ['match', 'match'],
    '02': ['match', 'match'],
    '10': ['mismatch', 'match'],
    '11': ['mismatch', 'match'],
    '12': ['match', 'mismatch'],
    '13': ['match', 'mismatch'],
    '14': ['unverified', 'match'],
    '20': ['mismatch', 'mismatch'],
  }),
);
const cvvResults = new Map<string, CardChecks['cvc2_check']>([
  ['M', 'match'],
  ['N', 'mismatch'],
]);

/** Results of the card's checks by `avsResult` and `cardValidationResult`. */
export function checksOfCodes(avs: string | undefined, cvv: string | undefined): CardChecks {
  const [address_line1_verification, postal_code_verification] = addressResults.get(avs ?? '') ?? [
    'unverified',
    'unverified',
  ];
  return {
    cvc2_check: cvvResults.get(cvv ?? '') ?? 'unprocessed',
    address_line1_verification,
    postal_code_verification,
  };
}
