import type { AnyAttributes, ResourceType } from '../../api/types.ts';
import type { Names } from '../../i18n/use-names.ts';
import { Instant } from '../value/instant.tsx';
import { Money } from '../value/money.tsx';
import type { Column } from './column.ts';

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
  cell: (_record, related) => String(related(path)?.attributes.email ?? '–'),
});
