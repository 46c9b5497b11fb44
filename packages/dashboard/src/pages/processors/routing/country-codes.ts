import { alpha2Codes, alpha3Codes } from '@florin/contract/countries.ts';

/** Selects show alpha-3 codes as the interface does; rules have the alpha-2 codes of card issuers. */
export const alpha2Of = (alpha3: string): string =>
  alpha2Codes[alpha3Codes.indexOf(alpha3 as never)] ?? alpha3;

export const alpha3Of = (alpha2: string): string =>
  alpha3Codes[alpha2Codes.indexOf(alpha2 as never)] ?? alpha2;
