import { useMemo } from 'react';
import type { Parameters } from '../../api/queries.ts';
import { useCan, useScope } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { LinkButton } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../parts/page/search.ts';
import type { Column } from '../../parts/table/column.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { amountColumn, payerColumn } from '../../parts/table/usual-columns.tsx';
import { ViewChoice } from '../../parts/table/view-choice.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { subscriptionName } from './subscription-name.ts';
import { SubscriptionState } from './subscription-state.tsx';

const STATUS = 'filter[status]';
const PAST_DUE = 'filter[past_due_since][null]';

/** Views of the list, with their filters. */
const views = {
  all: {},
  active: { [STATUS]: 'active' },
  past_due: { [PAST_DUE]: 'false' },
  paused: { [STATUS]: 'paused' },
  cancelled: { [STATUS]: 'cancelled' },
} as const satisfies Record<string, Parameters>;

type View = keyof typeof views;

/** List of subscriptions; those that need action come first. */
export function Subscriptions() {
  const t = useTexts('subscriptions');
  const can = useCan();
  const columns = useSubscriptionColumns();
  const parameters = can('consumer.customers.read') ? { include: 'payer' } : {};
  return (
    <>
      <PageTitle title={t('subscriptions')} actions={<NewSubscription />} />
      <Views />
      <ResourceTable
        type="payment_subscriptions"
        label={t('subscriptions')}
        columns={columns}
        fixed={parameters}
        empty={<EmptyState title={t('none')} hint={t('none_hint')} />}
      />
    </>
  );
}

function NewSubscription() {
  const t = useTexts('subscriptions');
  const can = useCan();
  const { takes_payments } = useScope();
  if (!takes_payments || !can('transaction.payment_subscriptions.create')) return null;
  return (
    <LinkButton to="subscriptions/new" leftSection={<Icon name="plus" size={16} />}>
      {t('new_subscription')}
    </LinkButton>
  );
}

function Views() {
  const t = useTexts('subscriptions');
  const [search, change] = useAddressSearch();
  const names = Object.keys(views) as View[];
  const shownView = names.findLast((view) =>
    Object.entries(views[view]).every(([key, value]) => search[key] === value),
  );
  return (
    <ViewChoice
      label={t('view')}
      shown={shownView ?? 'all'}
      choose={(view) => change({ [STATUS]: '', [PAST_DUE]: '', ...views[view] })}
      views={names.map((view) => ({ value: view, label: t(`view_${view}`) }))}
    />
  );
}

/** Default columns of tables of subscriptions. */
export function useSubscriptionColumns(): Column<'payment_subscriptions'>[] {
  const t = useTexts('subscriptions');
  const names = useNames();
  return useMemo(
    () => [
      {
        key: 'slug',
        title: t('subscription'),
        sort: 'slug',
        cell: ({ id, attributes }) => subscriptionName(attributes) ?? `…${id.slice(-8)}`,
      },
      {
        key: 'status',
        title: names.field('status'),
        sort: 'status',
        cell: (subscription) => <SubscriptionState subscription={subscription} />,
      },
      amountColumn(names),
      {
        key: 'billing_period',
        title: names.field('billing_period'),
        sort: 'billing_period',
        cell: ({ attributes: { billing_period } }) =>
          billing_period ? names.value(billing_period) : '–',
      },
      payerColumn(names),
      {
        key: 'next_billing_at',
        title: names.field('next_billing_at'),
        sort: 'next_billing_at',
        cell: ({ attributes: { next_billing_at } }) =>
          next_billing_at ? <Instant at={next_billing_at} day /> : '–',
      },
    ],
    [t, names],
  );
}
