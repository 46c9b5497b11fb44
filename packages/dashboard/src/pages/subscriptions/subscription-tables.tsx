import { useMemo } from 'react';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import type { Column } from '../../parts/table/column.ts';
import { RelatedTable } from '../../parts/table/related-table.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { usePaymentColumns, usePaymentInclude } from '../payments/payment-columns.tsx';

/** Payments, periods and changes of a subscription. */
export function SubscriptionTables({ id }: { readonly id: string }) {
  const t = useTexts('subscriptions');
  const parameters = { 'filter[payment_subscription]': id };
  const include = usePaymentInclude();
  const payments = usePaymentColumns();
  const periods = usePeriodColumns();
  return (
    <>
      <RelatedTable
        type="payment_demands"
        title={t('charges')}
        columns={payments}
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
        fixed={parameters}
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
