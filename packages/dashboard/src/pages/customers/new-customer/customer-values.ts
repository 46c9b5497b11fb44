import type { Draft } from '../../../api/queries.ts';
import {
  customerDraft,
  missingFields,
  NEW,
  noPayer,
  type PayerField,
  type PayerValues,
} from '../../terminal/payer/payer-values.ts';

/** Inputs of a new customer. `customer` has the id once the customer is stored, and its address is not. */
export interface CustomerValues extends PayerValues {
  readonly phone: string;
  readonly note: string;
}

export const noCustomer: CustomerValues = { ...noPayer, customer: NEW, phone: '', note: '' };

const ADDRESS = ['line_1', 'line_2', 'zip', 'city', 'state', 'country'] as const;

/** Whether the person began an address. Only then does the customer get one. */
export const hasAddress = (values: CustomerValues): boolean =>
  ADDRESS.some((name) => values[name].trim() !== '');

/** Returns the empty inputs that the customer needs. */
export const missingInputs = (values: CustomerValues): readonly PayerField[] =>
  missingFields({ ...values, address: hasAddress(values) ? NEW : '' });

export function newCustomerDraft(values: CustomerValues): Draft {
  const [phone, note] = [values.phone.trim(), values.note.trim()];
  return {
    attributes: {
      ...customerDraft(values).attributes,
      ...(phone && { phone_number: phone }),
      ...(note && { description: note }),
    },
  };
}
