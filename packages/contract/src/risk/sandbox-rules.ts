/**
 * What the platform's rules know of cards of the sandbox, by what may be known of a card outside the vault: first six and
 * last four digits. Data alone: the rules look at it as at any other.
 */

/** What the checks of a card would come to, and what it adds to the score of a payment. */
export interface CardSignals {
  readonly cvc2_check: 'match' | 'mismatch';
  readonly address_line1_verification: 'match' | 'mismatch';
  readonly postal_code_verification: 'match' | 'mismatch';
  /** Whether the card is being tried out elsewhere. */
  readonly tried_out: boolean;
}

const keyOf = (bin: string, last_four: string): string => `${bin} ${last_four}`;

const blocked: ReadonlySet<string> = new Set([keyOf('491730', '0000')]);

const signals: ReadonlyMap<string, CardSignals> = new Map([
  [
    keyOf('540772', '3481'),
    {
      cvc2_check: 'match',
      address_line1_verification: 'mismatch',
      postal_code_verification: 'mismatch',
      tried_out: true,
    },
  ],
]);

/** Whether the platform blocks the card in the sandbox. */
export const isBlockedInSandbox = (bin: string, last_four: string): boolean =>
  blocked.has(keyOf(bin, last_four));

/** What is known of the card beforehand; undefined of nearly all. */
export const sandboxSignals = (bin: string, last_four: string): CardSignals | undefined =>
  signals.get(keyOf(bin, last_four));
