import { useMemo } from 'react';
import { useCan } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Section } from '../../parts/record/section.tsx';
import type { Column } from '../../parts/table/column.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { usePaymentColumns, usePaymentInclude } from '../payments/payment-columns.tsx';

/** What a subscription has charged, for which periods, and how it was changed. */
export function SubscriptionTables({ id }: { readonly id: string }) {
  const t = useTexts('subscriptions');
  const can = useCan();
  const fixed = { 'filter[payment_subscription]': id };
  const include = usePaymentInclude();
  const payments = usePaymentColumns();
  const periods = usePeriodColumns();
  return (
    <>
      {can('transaction.payment_demands.read') && (
        <Section title={t('charges')}>
          <ResourceTable
            type="payment_demands"
            label={t('charges')}
            columns={payments}
            fixed={{ ...fixed, ...(include && { include }) }}
            empty={t('charges_none')}
            plain
          />
        </Section>
      )}
      {can('transaction.subscription_periods.read') && (
        <Section title={t('periods')}>
          <ResourceTable
            type="subscription_periods"
            label={t('periods')}
            columns={periods}
            fixed={fixed}
            empty={t('periods_none')}
            plain
          />
        </Section>
      )}
      {can('transaction.subscription_changes.read') && (
        <Section title={t('changes')}>
          <ResourceTable
            type="subscription_changes"
            label={t('changes')}
            fixed={fixed}
            empty={t('changes_none')}
            plain
          />
        </Section>
      )}
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
