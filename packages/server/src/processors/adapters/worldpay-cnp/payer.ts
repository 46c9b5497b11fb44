import { withoutUndefined } from '../../port/build-body.ts';
import type { Payer } from '../../port/processor.ts';

/** Longest texts of the schema's types. */
const LINE_MAX = 35;
const STATE_MAX = 30;
const POSTAL_CODE_MAX = 20;
const NAME_MAX = 100;
const EMAIL_MAX = 100;
const CUSTOMER_ID_MAX = 50;
/** ISO 3166-1 has no code for Kosovo, and the schema takes ISO codes only. */
const UNKNOWN_COUNTRIES: readonly string[] = ['XK'];

const cut = (text: string | undefined, length: number): string | undefined =>
  text === undefined ? undefined : [...text].slice(0, length).join('');

/** `billToAddress`; undefined without facts. */
export function addressOf({ name, email, billing_address = {} }: Payer = {}): object | undefined {
  const { line1, line2, city, postal_code, state, country } = billing_address;
  const elements = withoutUndefined({
    name: cut(name, NAME_MAX),
    addressLine1: cut(line1, LINE_MAX),
    addressLine2: cut(line2, LINE_MAX),
    city: cut(city, LINE_MAX),
    state: cut(state, STATE_MAX),
    zip: cut(postal_code, POSTAL_CODE_MAX),
    country: country && !UNKNOWN_COUNTRIES.includes(country) ? country : undefined,
    email: email && email.length <= EMAIL_MAX ? email : undefined,
  });
  return Object.keys(elements).length > 0 ? elements : undefined;
}

/** Identifies the customer in Worldpay's reports. */
export const customerIdOf = ({ customer_id }: Payer = {}): string | undefined =>
  customer_id && customer_id.length <= CUSTOMER_ID_MAX ? customer_id : undefined;

/** Characters of `descriptorType`. */
const NOT_IN_DESCRIPTOR = /[^A-Za-z0-9 *,\-'#&.]/g;
const DESCRIPTOR_MIN = 4;
const DESCRIPTOR_MAX = 25;

/** `customBilling` with the text on the payer's statement. The schema wants at least four characters. */
export function billingOf(descriptor = ''): object | undefined {
  const text = descriptor.replace(NOT_IN_DESCRIPTOR, '').slice(0, DESCRIPTOR_MAX);
  return text.length < DESCRIPTOR_MIN ? undefined : { descriptor: text };
}
