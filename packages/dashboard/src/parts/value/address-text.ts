import { regionOf } from '@florin/contract/countries.ts';
import type { RecordOf } from '../../api/types.ts';
import { codeName } from './codes.ts';

/** Returns an address in one line: `1 Main Street, 10001 New York, NY, United States`. */
export function addressText(
  { attributes }: RecordOf<'consumer_addresses'>,
  locale: string,
): string {
  const { line_1, line_2, zip, city, country } = attributes;
  return [
    line_1,
    line_2,
    `${zip} ${city}`,
    regionOf(attributes),
    codeName('country', country, locale),
  ]
    .filter(Boolean)
    .join(', ');
}
