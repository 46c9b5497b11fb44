import { currencyNumbers } from '@florin/contract/currencies.ts';

/** An ISO 4217 code in capitals, or undefined. */
export function parseCurrency(text: string): string | undefined {
  const code = text.toUpperCase();
  return currencyNumbers.has(code) ? code : undefined;
}
