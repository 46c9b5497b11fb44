import { alpha2Codes, alpha3Codes, countriesWithStates } from '@florin/contract/countries.ts';
import type { Draft } from '../../../api/queries.ts';

/** Choice of a customer, card or address that does not exist yet. */
export const NEW = 'new';

const ADDRESS = ['line_1', 'line_2', 'zip', 'city', 'state', 'country'] as const;
type AddressValues = Readonly<Record<(typeof ADDRESS)[number], string>>;

/** Inputs about the person who pays. */
export interface PayerValues extends AddressValues {
  /** Id of the customer, or `new`; empty without a choice. */
  readonly customer: string;
  readonly name: string;
  readonly email: string;
  /** Id of the card, or `new`; empty for the default. */
  readonly card: string;
  /** Id of the billing address, or `new`; empty for the default. */
  readonly address: string;
}

export type PayerField = keyof PayerValues;

export const noPayer: PayerValues = {
  ...{ customer: '', name: '', email: '', card: '', address: '' },
  ...{ line_1: '', line_2: '', zip: '', city: '', state: '', country: '' },
};

/** Returns the values after another customer was chosen: cards and addresses belong to one customer. */
export const withCustomer = (customer: string): Partial<PayerValues> => ({
  customer,
  card: '',
  address: '',
});

/** Countries whose addresses need a state. Elsewhere the city replaces a missing one. */
const WITH_STATES: ReadonlySet<string> = new Set(
  alpha3Codes.filter((_, at) => countriesWithStates.has(alpha2Codes[at] ?? '')),
);

/** Whether addresses of the country (alpha-3) need a state. */
export const needsState = (country: string): boolean => WITH_STATES.has(country);

/** Returns the empty inputs that a payment needs. */
export function missingFields(values: PayerValues): readonly PayerField[] {
  const { customer, address, country } = values;
  const needed: PayerField[] = [
    ...(customer === NEW ? (['email'] as const) : (['customer'] as const)),
    ...(address === NEW ? (['line_1', 'zip', 'city', 'country'] as const) : []),
    ...(address === NEW && needsState(country) ? (['state'] as const) : []),
  ];
  return needed.filter((name) => values[name].trim() === '');
}

export const customerDraft = ({ name, email }: PayerValues): Draft => ({
  attributes: { email: email.trim(), ...(name.trim() && { name: name.trim() }) },
});

export function addressDraft(values: PayerValues, customer: string): Draft {
  const filled = ADDRESS.flatMap((name) => {
    const text = values[name].trim() || (name === 'state' ? values.city.trim() : '');
    return text ? [[name, text]] : [];
  });
  return {
    attributes: Object.fromEntries(filled),
    relationships: { customer: linkTo('customers', customer) },
  };
}

/** Relationship to one record. */
export const linkTo = (type: string, id: string) => ({ data: { type, id } });
