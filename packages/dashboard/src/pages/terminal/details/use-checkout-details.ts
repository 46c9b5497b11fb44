import { type FormEvent, useEffect, useState } from 'react';
import { type FormProblems, problemsByField } from '../../../api/errors.ts';
import type { Draft } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { focusFirstError } from '../../../parts/form/focus-first-error.ts';
import type { Checkout } from '../checkout/use-checkout.ts';
import { missingFields, NEW } from '../payer/payer-values.ts';
import { type Payer, useCreatePayer } from '../payer/use-payer.ts';
import { useReadAmount } from './amount-input.tsx';
import { FALLBACK, useCurrencies } from './use-currencies.ts';
import type { DetailsInputs, DetailsValues } from './use-values.ts';

/** Content of the form that is valid. */
export interface Purchase {
  readonly cents: number;
  readonly currency: string;
  readonly payer: string;
  readonly address: string;
}

interface Options {
  readonly form: DetailsInputs<DetailsValues>;
  readonly payer: Payer;
  readonly checkout: Checkout;
  /** Problems of further inputs by name. */
  readonly wrong?: Readonly<Record<string, string>>;
  readonly draftOf: (purchase: Purchase) => Draft;
}

/** Server's names of inputs, where they differ. */
const NAMES: Readonly<Record<string, string>> = {
  amount_cents: 'amount',
  amount_currency: 'amount',
};
const FIELDS = /^(?:amount_(?:cents|currency)|email|name|line_[12]|zip|city|state|country)$/;
const NO_PROBLEMS: FormProblems = { fields: {}, others: [] };

/** Checks the inputs, creates customer and address, and starts the checkout. */
export function useCheckoutDetails({ form, payer, checkout, wrong = {}, draftOf }: Options) {
  const records = useTexts('records');
  const readAmount = useReadAmount();
  const accepted = useCurrency(form);
  const createPayer = useCreatePayer(form.setPayer);
  const [wasSent, setSent] = useState(false);
  const currency = form.values.currency || FALLBACK;
  const amount = readAmount(form.values.amount, currency);
  const missing = missingFields(payer.values).map((name) => [name, records('required')]);
  const own: Readonly<Record<string, string>> = {
    ...('problem' in amount && { amount: amount.problem }),
    ...Object.fromEntries(missing),
    ...wrong,
  };
  const problems = checkout.error
    ? problemsByField(checkout.error, (path) => FIELDS.test(path))
    : NO_PROBLEMS;
  const refused = Object.entries(problems.fields).map(([name, text]) => [
    NAMES[name] ?? name,
    text,
  ]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSent(true);
    if (!('cents' in amount) || Object.keys(own).length > 0) {
      return focusFirstError(event.currentTarget);
    }
    const { cents } = amount;
    const draft = async () => draftOf({ cents, currency, ...(await createPayer(payer.values)) });
    void checkout.submit(draft, payer.values.card);
  };
  const cents = 'cents' in amount ? amount.cents : undefined;
  const isCreated = checkout.step !== 'details';
  return {
    ...{ form, payer, checkout, currency, submit, cents },
    /** Amount of the button: that of the created intent, and before that of the form. */
    amount: (isCreated && checkout.amount) || { cents: cents ?? 0, currency },
    isPending: payer.isPending || form.values.currency === '',
    currencies: accepted,
    isNewCard: payer.values.card === NEW,
    errors: (wasSent ? { ...Object.fromEntries(refused), ...own } : {}) as Readonly<
      Record<string, string>
    >,
    others: problems.others,
  };
}

/** Puts the merchant's usual currency into the form, once: later payments of others do not change the form. */
function useCurrency({ values, set }: DetailsInputs<DetailsValues>): readonly string[] {
  const { accepted, usual } = useCurrencies();
  useEffect(() => {
    if (usual && values.currency === '') set({ currency: usual });
  }, [usual, values.currency, set]);
  return accepted;
}

export type CheckoutDetails = ReturnType<typeof useCheckoutDetails>;
