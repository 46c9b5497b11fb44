import { useState } from 'react';
import { useAddressSearch } from '../../../parts/page/search.ts';
import { noPayer, type PayerValues } from '../payer/payer-values.ts';

/** Inputs that payments and subscriptions share. */
export interface DetailsValues {
  readonly amount: string;
  /** Currency; empty until the merchant's usual one is known. */
  readonly currency: string;
  readonly payer: PayerValues;
}

/** State of the inputs, with setters. */
export interface DetailsInputs<V extends DetailsValues> {
  readonly values: V;
  readonly set: (changes: Partial<V>) => void;
  readonly setPayer: (changes: Partial<PayerValues>) => void;
  /** Empties all inputs. */
  readonly clear: () => void;
}

const noDetails: DetailsValues = { amount: '', currency: '', payer: noPayer };

/** Keeps the inputs over all steps. The customer may come from the address of the page. */
export function useValues<Own extends object>(own: Own): DetailsInputs<DetailsValues & Own> {
  const [{ customer = '' }] = useAddressSearch();
  const [values, setValues] = useState<DetailsValues & Own>({
    ...{ ...noDetails, payer: { ...noPayer, customer } },
    ...own,
  });
  return {
    values,
    set: (changes) => setValues((before) => ({ ...before, ...changes })),
    setPayer: (changes) =>
      setValues((before) => ({ ...before, payer: { ...before.payer, ...changes } })),
    clear: () => setValues({ ...noDetails, ...own }),
  };
}
