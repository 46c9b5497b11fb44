import { useMemo } from 'react';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import type { Column } from '../../parts/table/column.ts';
import { RelatedTable } from '../../parts/table/related-table.tsx';
import { createdColumn } from '../../parts/table/usual-columns.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { Money } from '../../parts/value/money.tsx';
import {
  usePaymentColumns,
  usePaymentInclude,
  usePaymentRowName,
} from '../payments/payment-columns.tsx';

interface Props {
  readonly id: string;
  /** Currency of the subscription, which is that of its changes. */
  readonly currency: string;
}

/** Payments, periods and changes of a subscription. */
export function SubscriptionTables({ id, currency }: Props) {
  const t = useTexts('subscriptions');
  const parameters = { 'filter[payment_subscription]': id };
  const include = usePaymentInclude();
  const payments = usePaymentColumns();
  const rowName = usePaymentRowName();
  const periods = usePeriodColumns();
  const changes = useChangeColumns(currency);
  return (
    <>
      <RelatedTable
        type="payment_demands"
        title={t('charges')}
        columns={payments}
        rowName={rowName}
        fixed={{ ...parameters, ...(include && { include }) }}
        empty={t('charges_none')}
      />
      <RelatedTable
        type="subscription_periods"
        title={t('periods')}
        columns={periods}
        fixed={parameters}
        empty={t('periods_none')}
      />
      <RelatedTable
        type="subscription_changes"
        title={t('changes')}
        columns={changes}
        fixed={{ ...parameters, 'filter[dry_run]': 'false' }}
        empty={t('changes_none')}
      />
    </>
  );
}

function usePeriodColumns(): Column<'subscription_periods'>[] {
  const names = useNames();
  const t = useTexts('subscriptions');
  return useMemo(
    () => [
      {
        key: 'start_at',
        title: names.field('start_at'),
        cell: ({ attributes }) => <Instant at={attributes.start_at} />,
      },
      {
        key: 'end_at',
        title: names.field('end_at'),
        cell: ({ attributes }) => <Instant at={attributes.end_at} />,
      },
      {
        key: 'skip_reason',
        title: t('charged'),
        cell: ({ attributes: { skip_reason } }) =>
          skip_reason ? names.value(skip_reason) : t('charged_yes'),
      },
    ],
    [names, t],
  );
}

const CHANGE_AMOUNTS = [
  'amount_cents',
  'charged_cents',
  'credit_cents',
  'next_amount_cents',
] as const;

function useChangeColumns(currency: string): Column<'subscription_changes'>[] {
  const names = useNames();
  return useMemo(
    () => [
      createdColumn(names),
      {
        key: 'billing_period',
        title: names.field('billing_period'),
        cell: ({ attributes: { billing_period } }) =>
          billing_period ? names.value(billing_period) : '–',
      },
      ...CHANGE_AMOUNTS.map(
        (name): Column<'subscription_changes'> => ({
          key: name,
          title: names.field(name),
          numeric: true,
          cell: ({ attributes: { [name]: cents } }) =>
            cents == null ? '–' : <Money cents={cents} currency={currency} />,
        }),
      ),
    ],
    [names, currency],
  );
}
