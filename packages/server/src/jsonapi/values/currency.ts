import { currencyNumbers } from '@florin/contract/currencies.ts';

/** ISO 4217 code in capitals; undefined if unknown. */
export function parseCurrency(text: string): string | undefined {
  const code = text.toUpperCase();
  return currencyNumbers.has(code) ? code : undefined;
}
