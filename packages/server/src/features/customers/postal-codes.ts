/**
 * Postal codes by country (alpha-3), without spaces and hyphens: `9` is a digit, `A` a letter. Written from general
 * knowledge, and not compared with a list of the posts: add a country only after a look at upu.int.
 */
const codesByForm: readonly (readonly [form: string, countries: string])[] = [
  ['9999', 'AUS AUT BEL BGR CHE CYP DNK HUN LIE LUX NOR NZL SVN ZAF'],
  ['99999', 'CZE DEU ESP EST FIN FRA GRC HRV ITA KOR LTU MEX MYS POL SVK SWE THA TUR UKR'],
  ['99999 999999999', 'USA'],
  ['999999', 'CHN IND ROU SGP'],
  ['9999999', 'ISR JPN PRT'],
  ['99999999', 'BRA'],
  ['9999AA', 'NLD'],
  ['A9A9A9', 'CAN'],
  ['A99AA A999AA AA99AA AA999AA A9A9AA AA9A9AA', 'GBR'],
];

const patterns = new Map(
  codesByForm.flatMap(([form, countries]) =>
    countries.split(' ').map((country) => [country, patternOf(form)] as const),
  ),
);

/** People write the country before the digits: `D-10115`, `LT-01100`. */
function patternOf(form: string): RegExp {
  const codes = form.replaceAll('9', '\\d').replaceAll('A', '[A-Z]').replaceAll(' ', '|');
  return new RegExp(`^${form.includes('A') ? '' : '[A-Z]{0,3}'}(?:${codes})$`);
}

/**
 * Whether a postal code has a form of its country (alpha-3). True for countries that are not listed. Spaces, hyphens
 * and small letters do not matter. The interface takes any code: only forms for cardholders ask for another one.
 */
export const hasPostalForm = (country: string, zip: string): boolean =>
  patterns.get(country)?.test(
    zip
      .normalize('NFKC')
      .replace(/[\s\p{Pd}\u2212〒.]/gu, '')
      .toUpperCase(),
  ) ?? true;
