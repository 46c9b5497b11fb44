import { currencyNumbers } from '@florin/contract/currencies.ts';

/** Currencies whose amounts have three decimals; the last digit must be 0. */
const THREE_DECIMALS: readonly string[] = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];
/** Currencies whose amounts have no decimals. */
const NO_DECIMALS: readonly string[] =
  'BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const AMOUNT_MAX = 999_999_999;

export const isKnownCurrency = (currency: string): boolean => currencyNumbers.has(currency);

/** Whether an amount in minor units is accepted: at most nine digits, in steps of the currency. */
export const isAcceptedAmount = (amount: number, currency: string): boolean =>
  amount <= AMOUNT_MAX && amount % stepOf(currency) === 0;

/** Chilean pesos have two decimals here, which must be 00. */
function stepOf(currency: string): number {
  if (currency === 'CLP') return 100;
  return THREE_DECIMALS.includes(currency) ? 10 : 1;
}

/** Decimals of a currency's minor units at Checkout.com, which differ from ISO 4217. */
export function decimalsOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0;
  return THREE_DECIMALS.includes(currency) ? 3 : 2;
}
