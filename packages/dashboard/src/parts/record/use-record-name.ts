import { useCallback } from 'react';
import type { AnyAttributes } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useAmountText } from '../value/money.tsx';

/** Attributes that name a record, most telling first. */
const NAMING = ['name', 'title', 'email', 'url', 'line_1'] as const;

/** Returns a function that names a record: by its name, amount or card. Undefined for records without a name. */
export function useRecordName(): (attributes: AnyAttributes) => string | undefined {
  const names = useNames();
  const amountText = useAmountText();
  return useCallback(
    (attributes) => {
      const { amount_cents, amount_currency, purchase_reference, kind, last_four } = attributes;
      if (last_four) return `${names.value(String(kind))} •••• ${last_four}`;
      const named = NAMING.map((name) => attributes[name]).find(Boolean);
      if (named) return String(named);
      if (!amount_cents || !amount_currency) return undefined;
      const amount = amountText(String(amount_cents), String(amount_currency));
      return purchase_reference ? `${amount} · ${purchase_reference}` : amount;
    },
    [names, amountText],
  );
}
