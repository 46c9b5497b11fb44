import type { CardChecks } from '../../port/processor.ts';

type AddressChecks = Pick<CardChecks, 'address_line1_verification' | 'postal_code_verification'>;
type AddressCheck = AddressChecks['address_line1_verification'];

/** Letters of `avs_check` by result: of the address line, then of the postal code. */
const addressResults: readonly (readonly [string, AddressCheck, AddressCheck])[] = [
  ['Y D F M X AE2 AE6', 'match', 'match'],
  ['A AE3 AE7', 'match', 'mismatch'],
  ['B', 'match', 'unverified'],
  ['W Z AE1 AE5', 'mismatch', 'match'],
  ['P', 'unverified', 'match'],
  ['N AE4 AE8', 'mismatch', 'mismatch'],
];

const addressChecks = new Map<unknown, AddressChecks>(
  addressResults.flatMap(([letters, address_line1_verification, postal_code_verification]) =>
    letters
      .split(' ')
      .map((letter) => [letter, { address_line1_verification, postal_code_verification }] as const),
  ),
);
const UNVERIFIED: AddressChecks = {
  address_line1_verification: 'unverified',
  postal_code_verification: 'unverified',
};

/** `D` is a mismatch of the verification value. `N` is none: no value was sent. */
const cvvChecks = new Map<unknown, CardChecks['cvc2_check']>([
  ['Y', 'match'],
  ['D', 'mismatch'],
]);

/** Results of the card's checks by Checkout.com's `avs_check` and `cvv_check`. */
export const checksOfSource = (avs: unknown, cvv: unknown): CardChecks => ({
  cvc2_check: cvvChecks.get(cvv) ?? 'unprocessed',
  ...(addressChecks.get(avs) ?? UNVERIFIED),
});
