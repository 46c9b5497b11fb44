import { alpha2Codes, alpha3Codes } from '@florin/contract/countries.ts';

const alpha3ByCode = new Map(
  alpha3Codes.flatMap((alpha3, at): [string, string][] => [
    [alpha2Codes[at] as string, alpha3],
    [alpha3, alpha3],
  ]),
);

/** ISO 3166-1 alpha-3 code of an alpha-2 or alpha-3 code in any case; undefined if unknown. */
export const parseCountry = (text: string): string | undefined =>
  alpha3ByCode.get(text.trim().toUpperCase());

const alpha2ByAlpha3 = new Map(alpha3Codes.map((alpha3, at) => [alpha3, alpha2Codes[at]]));

/** ISO 3166-1 alpha-2 code of an alpha-3 code; undefined if unknown. */
export const alpha2Of = (alpha3: string): string | undefined => alpha2ByAlpha3.get(alpha3);
