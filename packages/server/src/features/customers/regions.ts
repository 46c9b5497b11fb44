import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import { regionTables } from './region-tables.ts';

/** A state with its ISO 3166-2 code, without the country. */
export interface Region {
  readonly code: string;
  readonly name: string;
}

/** Countries whose addresses are refused with an unknown state. Other tables are only offered. */
const CHECKED = ['USA', 'CAN'];

/** States of a country (alpha-3) in the order of their names. Empty if there is no table. */
export function regionsOf(country: string): Region[] {
  const table = regionTables[country];
  return table ? entriesOf(table) : [];
}

function entriesOf(table: string): Region[] {
  return table.split(',').map((entry) => {
    const [code = '', ...words] = entry.trim().split(' ');
    return { code, name: words.join(' ') };
  });
}

/** Codes of a country's states by code and by name, in capitals. */
const checkedRegions = new Map(
  CHECKED.map((country) => [country, new Map(regionsOf(country).flatMap(namesOf))]),
);

function namesOf({ code, name }: Region): [string, string][] {
  return [
    [code, code],
    [name.toUpperCase(), code],
  ];
}

const normalised = (state: string): string => state.trim().toUpperCase();

/** Whether a country (alpha-3) has a state with this code or name. True for countries that are not checked. */
const isRegionOf = (country: string, state: string): boolean =>
  checkedRegions.get(country)?.has(normalised(state)) ?? true;

/** Code of a state in a country (alpha-3), such as `NY` of New York. The text itself in countries that are not checked. */
export const regionCodeOf = (country: string, state: string): string =>
  checkedRegions.get(country)?.get(normalised(state)) ?? state;

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
