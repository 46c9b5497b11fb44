/**
 * Risk data of the platform for sandbox cards, by first six and last four digits. These digits may
 * be known outside the vault. The rules use this data like any other.
 */

/** Results of a card's checks, which add to the risk score. */
export interface CardSignals {
  readonly cvc2_check: 'match' | 'mismatch';
  readonly address_line1_verification: 'match' | 'mismatch';
  readonly postal_code_verification: 'match' | 'mismatch';
  /** Whether a thief is testing the card elsewhere. */
  readonly tried_out: boolean;
}

const keyOf = (bin: string, last_four: string): string => `${bin} ${last_four}`;

const blockedCards: ReadonlySet<string> = new Set([keyOf('491730', '0000')]);

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
  blockedCards.has(keyOf(bin, last_four));

/** Known signals of a sandbox card. Undefined for most cards. */
export const sandboxSignals = (bin: string, last_four: string): CardSignals | undefined =>
  signals.get(keyOf(bin, last_four));
