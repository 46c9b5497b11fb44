import type { AnyAttributes, ResourceType } from '../../api/types.ts';
import type { Names } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Instant, useInstantText } from '../value/instant.tsx';
import { Money, useAmountText } from '../value/money.tsx';
import type { Column } from './column.ts';
import type { RowName } from './row/row-name.ts';

interface Texts {
  readonly of: 'payment_of' | 'dispute_of';
  readonly by: 'payment_by' | 'dispute_by';
}

/** Names rows by amount, payer, reference and time. Lists may include the payer, in a relation or at the end of a path. */
export function useAmountRowName<T extends ResourceType>(texts: Texts, path = 'payer'): RowName<T> {
  const t = useTexts('records');
  const amountText = useAmountText();
  const instantText = useInstantText();
  return {
    contains: 'amount_cents',
    nameOf: ({ attributes }, related) => {
      const { amount_cents, amount_currency, purchase_reference, created_at } =
        attributes as AnyAttributes;
      const amount = amountText(String(amount_cents), String(amount_currency));
      const { name, email } = related(path)?.attributes ?? {};
      const payer = name || email;
      const title = payer ? t(texts.by, { amount, payer: String(payer) }) : t(texts.of, { amount });
      const time = created_at && instantText(String(created_at));
      return [title, purchase_reference, time].filter(Boolean).join(', ');
    },
  };
}

export const createdColumn = <T extends ResourceType>(names: Names): Column<T> => ({
  key: 'created_at',
  title: names.field('created_at'),
  sort: 'created_at',
  cell: ({ attributes }) => {
    const { created_at } = attributes as AnyAttributes;
    return created_at ? <Instant at={String(created_at)} /> : '–';
  },
});

/** Column for the amount of a payment or of each billing period. */
export const amountColumn = <T extends ResourceType>(names: Names): Column<T> => ({
  key: 'amount_cents',
  title: names.field('amount_cents'),
  sort: 'amount_cents',
  numeric: true,
  cell: ({ attributes }) => {
    const { amount_cents, amount_currency } = attributes as AnyAttributes;
    return <Money cents={String(amount_cents)} currency={String(amount_currency)} />;
  },
});

/** Column for the payer, in a relation or at the end of a path. Lists must include it. */
export const payerColumn = <T extends ResourceType>(names: Names, path = 'payer'): Column<T> => ({
  key: 'payer',
  title: names.field('payer'),
  isCut: true,
  cell: (_record, related) => {
    const { name, email } = (related(path)?.attributes ?? {}) as AnyAttributes;
    return String(name || email || '–');
  },
});
