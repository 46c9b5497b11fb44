import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';

/**
 * Codes and names, such as `NY New York`, of a country's states, provinces, territories and
 * military regions.
 */
const regionTables: Readonly<Record<string, string>> = {
  USA: `AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,
DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,
KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,
MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,
NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,
SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,
WV West Virginia,WI Wisconsin,WY Wyoming,AS American Samoa,GU Guam,MP Northern Mariana Islands,
PR Puerto Rico,UM U.S. Minor Outlying Islands,VI U.S. Virgin Islands,FM Micronesia,MH Marshall Islands,
PW Palau,AA Armed Forces Americas,AE Armed Forces Europe,AP Armed Forces Pacific`,
  CAN: `AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,
NS Nova Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,
QC Québec,SK Saskatchewan,YT Yukon`,
};

/** Codes of a country's states by code and by name, in capitals. */
const regionsByCountry = new Map(
  Object.entries(regionTables).map(([country, table]) => [country, new Map(entriesOf(table))]),
);

function entriesOf(table: string): [string, string][] {
  return table.split(',').flatMap((entry): [string, string][] => {
    const text = entry.trim().toUpperCase();
    const code = text.slice(0, 2);
    return [
      [code, code],
      [text.slice(3), code],
    ];
  });
}

const normalised = (state: string): string => state.trim().toUpperCase();

/**
 * Whether a country (alpha-3) has a state with this code or name. True for countries without a
 * table.
 */
const isRegionOf = (country: string, state: string): boolean =>
  regionsByCountry.get(country)?.has(normalised(state)) ?? true;

/** Code of a state in a country (alpha-3), such as `NY` of New York. The text itself in countries without a table. */
export const regionCodeOf = (country: string, state: string): string =>
  regionsByCountry.get(country)?.get(normalised(state)) ?? state;

/** Throws `invalid_region` if an address has a state that is not in its country's table. */
export function checkRegion({ country, state }: Row): void {
  if (isRegionOf(country as string, state as string)) return;
  throw problem(
    'invalid_region',
    `state must be a state of ${country}: its name, or its ISO 3166-2 code without the country.`,
    {
      pointer: '/data/attributes/state',
    },
  );
}
