import { type FormEvent, useState } from 'react';
import { type FormProblems, problemsByField } from '../../../api/errors.ts';
import { useCreate } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { focusFirstError } from '../../../parts/form/focus-first-error.ts';
import { addressDraft, NEW } from '../../terminal/payer/payer-values.ts';
import {
  type CustomerValues,
  hasAddress,
  missingInputs,
  newCustomerDraft,
  noCustomer,
} from './customer-values.ts';

const NAMES: Readonly<Record<string, string>> = { phone_number: 'phone', description: 'note' };
const FIELDS = /^(?:email|name|phone_number|description|line_[12]|zip|city|state|country)$/;
const NO_PROBLEMS: FormProblems = { fields: {}, others: [] };

/** Inputs of a new customer, and what stores the customer and the address. */
export function useCreateCustomer(onDone: (id: string) => void) {
  const records = useTexts('records');
  const customer = useCreate('customers');
  const address = useCreate('consumer_addresses');
  const [values, setValues] = useState<CustomerValues>(noCustomer);
  const [wasSent, setSent] = useState(false);
  const set = (changes: Partial<CustomerValues>) => setValues((it) => ({ ...it, ...changes }));
  const missing = missingInputs(values);
  const error = customer.error ?? address.error;
  const problems = error ? problemsByField(error, (path) => FIELDS.test(path)) : NO_PROBLEMS;

  /** A customer who is stored already is not created again, when only the address was refused. */
  const store = async (): Promise<void> => {
    const isStored = values.customer !== NEW;
    const id = isStored
      ? values.customer
      : (await customer.mutateAsync(newCustomerDraft(values))).id;
    set({ customer: id });
    if (hasAddress(values)) await address.mutateAsync(addressDraft(values, id));
    onDone(id);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSent(true);
    if (missing.length > 0) return focusFirstError(event.currentTarget);
    // The mutations keep their errors.
    store().catch(() => undefined);
  };
  const refused = Object.entries(problems.fields).map(([name, text]) => [
    NAMES[name] ?? name,
    text,
  ]);
  const empty = missing.map((name) => [name, records('required')]);
  return {
    ...{ values, set, submit, error },
    errors: (wasSent ? Object.fromEntries([...refused, ...empty]) : {}) as Readonly<
      Record<string, string>
    >,
    others: problems.others,
    isPending: customer.isPending || address.isPending,
    isStored: values.customer !== NEW,
  };
}
