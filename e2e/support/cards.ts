import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';

/** Returns number and verification value of a sandbox card, by its test token without `pan_test_`. */
export function cardOf(name: string): { readonly number: string; readonly cvv: string } {
  const number = sandboxCards.find(({ token }) => token === `pan_test_${name}`)!.number;
  return { number, cvv: /^3[47]/.test(number) ? '1234' : '123' };
}

/** Returns the events that end a payment attempt. */
export const terminalOf = (names: readonly string[]): string[] =>
  names.filter((name) => /^(payment|subscription)_(approved|failed|timeout)$/.test(name));
