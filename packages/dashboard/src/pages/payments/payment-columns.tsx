import { useMemo } from 'react';
import { useCan } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import type { Column } from '../../parts/table/column.ts';
import type { RowName } from '../../parts/table/row/row-name.ts';
import {
  amountColumn,
  createdColumn,
  payerColumn,
  useAmountRowName,
} from '../../parts/table/usual-columns.tsx';
import { PaymentBadge } from '../../parts/value/payment-badge.tsx';
import { CardName } from './card-name.tsx';

/** Permissions that the columns of related records need. */
export const READ_CUSTOMERS = 'consumer.customers.read';
export const READ_CARDS = 'consumer.payment_methods.read';

/** Returns the relations that the table needs, limited to what the person may read. */
export function usePaymentInclude(): string {
  const can = useCan();
  const relations = [can(READ_CUSTOMERS) && 'payer', can(READ_CARDS) && 'payment_method'];
  return relations.filter(Boolean).join(',');
}

/** Names of the rows of payments tables. */
export const usePaymentRowName = (): RowName<'payment_demands'> =>
  useAmountRowName({ of: 'payment_of', by: 'payment_by' });

/** Default columns of the payments table. */
export function usePaymentColumns(): Column<'payment_demands'>[] {
  const names = useNames();
  const t = useTexts('records');
  return useMemo(
    () => [
      amountColumn(names),
      {
        key: 'status',
        title: names.field('status'),
        sort: 'status',
        cell: ({ attributes }) => <PaymentBadge payment={attributes} isBesideAmount />,
      },
      {
        key: 'purchase_reference',
        title: t('reference'),
        isCut: true,
        sort: 'purchase_reference',
        cell: ({ attributes }) => attributes.purchase_reference ?? '–',
      },
      payerColumn(names),
      {
        key: 'payment_method',
        title: names.field('payment_method'),
        cell: (_payment, related) => {
          const method = related('payment_method');
          return method ? <CardName method={method} /> : '–';
        },
      },
      createdColumn(names),
    ],
    [names, t],
  );
}
