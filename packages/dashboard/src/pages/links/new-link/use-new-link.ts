import { type FormEvent, useEffect, useState } from 'react';
import { type FormProblems, problemsByField } from '../../../api/errors.ts';
import { useCreate } from '../../../api/queries.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { focusFirstError } from '../../../parts/form/focus-first-error.ts';
import { useReadAmount } from '../../terminal/details/amount-input.tsx';
import { FALLBACK, useCurrencies } from '../../terminal/details/use-currencies.ts';
import { type LinkValues, linkDraft, noLink, wrongLinkInputs } from './link-draft.ts';

/** Inputs by the server's names. */
const NAMES: Readonly<Record<string, keyof LinkValues>> = {
  title: 'title',
  description: 'description',
  amount_cents: 'amount',
  amount_currency: 'amount',
  billing_period: 'period',
  uses_max: 'usesMax',
  expires_at: 'expiryDay',
  purchase_reference: 'reference',
  success_url: 'successUrl',
};
const NO_PROBLEMS: FormProblems = { fields: {}, others: [] };

interface Options {
  /** Id of the customer who pays. A link of a customer is for one payment, unless the person changes that. */
  readonly customer: string | undefined;
  readonly onDone: (link: RecordOf<'payment_links'>) => void;
}

/** Inputs of a new payment link, and what creates the link. */
export function useNewLink({ customer, onDone }: Options) {
  const records = useTexts('records');
  const readAmount = useReadAmount();
  const create = useCreate('payment_links');
  const { accepted, usual } = useCurrencies();
  const [values, setValues] = useState<LinkValues>({ ...noLink, uses: customer ? 'once' : 'many' });
  const [wasSent, setSent] = useState(false);
  const set = (changes: Partial<LinkValues>) => setValues((it) => ({ ...it, ...changes }));
  useEffect(() => {
    if (usual) setValues((it) => (it.currency === '' ? { ...it, currency: usual } : it));
  }, [usual]);
  const currency = values.currency || FALLBACK;
  const amount = readAmount(values.amount, currency);
  const wrong = Object.entries(wrongLinkInputs(values)).map(([name, text]) => [
    name,
    records(text),
  ]);
  const own: Readonly<Record<string, string>> = {
    ...Object.fromEntries(wrong),
    ...('problem' in amount && { amount: amount.problem }),
  };
  const problems = create.error
    ? problemsByField(create.error, (path) => path in NAMES)
    : NO_PROBLEMS;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSent(true);
    if (!('cents' in amount) || Object.keys(own).length > 0) {
      return focusFirstError(event.currentTarget);
    }
    const draft = linkDraft({ ...values, currency }, amount.cents, Date.now(), customer);
    create.mutate(draft, { onSuccess: onDone });
  };
  const refused = Object.entries(problems.fields).map(([name, text]) => [NAMES[name], text]);
  return {
    ...{ values, set, submit, currency, currencies: accepted },
    errors: (wasSent ? { ...Object.fromEntries(refused), ...own } : {}) as Readonly<
      Partial<Record<keyof LinkValues, string>>
    >,
    error: create.error,
    others: problems.others,
    isPending: create.isPending,
  };
}

export type NewLink = ReturnType<typeof useNewLink>;
