import { withoutUndefined } from '../../port/build-body.ts';
import type { BillingAddress } from '../../port/processor.ts';

const POSTAL_CODE_CHARS_MAX = 10;
const US_POSTAL_CODE_CHARS = 5;
const STATE_CHARS_MAX = 3;
const LINE_CHARS_MAX = 3_000;
/** Countries in which an address needs a state. */
const WITH_STATES = ['US', 'CA'];
/** Adyen's filler for a house number, and for an unknown country. */
const NO_HOUSE = 'NA';
const NO_COUNTRY = 'ZZ';

/**
 * Address for the issuer's check. Undefined without street, city or postal code, or a state where Adyen needs one.
 * Adyen refuses a part of an address, and a filler would fail the check.
 */
export function adyenAddressOf({
  line1,
  line2,
  city,
  postal_code,
  state,
  country = NO_COUNTRY,
}: BillingAddress): object | undefined {
  const postalCode = country === 'US' ? postal_code?.slice(0, US_POSTAL_CODE_CHARS) : postal_code;
  const hasState = state !== undefined && state.length <= STATE_CHARS_MAX;
  if (!line1 || !city || !postalCode || postalCode.length > POSTAL_CODE_CHARS_MAX) return undefined;
  if (WITH_STATES.includes(country) && !hasState) return undefined;
  return withoutUndefined({
    street: line1.slice(0, LINE_CHARS_MAX),
    houseNumberOrName: (line2 || NO_HOUSE).slice(0, LINE_CHARS_MAX),
    city: city.slice(0, LINE_CHARS_MAX),
    postalCode,
    stateOrProvince: hasState ? state : undefined,
    country,
  });
}
