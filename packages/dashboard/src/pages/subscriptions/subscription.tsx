import { Breadcrumbs, Stack } from '@mantine/core';
import type { FetchedRecord } from '../../api/queries.ts';
import type { Resource } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { useAutoRefresh } from '../../parts/page/use-auto-refresh.ts';
import { RecordPage, useReadable } from '../../parts/record/record-page.tsx';
import { FoldedRecord } from '../../parts/record/record-view.tsx';
import { SubscriptionActions } from './subscription-actions.tsx';
import { SubscriptionFacts } from './subscription-facts.tsx';
import { subscriptionName } from './subscription-name.ts';
import { SubscriptionState } from './subscription-state.tsx';
import { SubscriptionTables } from './subscription-tables.tsx';

const parties = {
  payer: 'consumer.customers.read',
  payment_method: 'consumer.payment_methods.read',
} as const;

/** A subscription: next and past charges, and actions. */
export function Subscription() {
  const t = useTexts('subscriptions');
  return (
    <RecordPage
      type="payment_subscriptions"
      title={t('subscription')}
      parameters={useReadable(parties)}
      above={
        <Breadcrumbs mb="xs">
          <ScopedLink to={listPath('payment_subscriptions')}>{t('subscriptions')}</ScopedLink>
        </Breadcrumbs>
      }
    >
      {(fetched, reload) => <SubscriptionPage fetched={fetched} reload={reload} />}
    </RecordPage>
  );
}

interface Props {
  readonly fetched: FetchedRecord<'payment_subscriptions'>;
  readonly reload: () => void;
}

function SubscriptionPage({ fetched, reload }: Props) {
  const t = useTexts('subscriptions');
  const { record, included } = fetched;
  const { status, confirmed } = record.attributes;
  useAutoRefresh(confirmed && status === 'pending');
  return (
    <>
      <PageTitle
        title={subscriptionName(record.attributes) ?? t('subscription')}
        aside={<SubscriptionState subscription={record} />}
        actions={<SubscriptionActions fetched={fetched} reload={reload} />}
      />
      <Stack gap="lg">
        <SubscriptionFacts subscription={record} included={included} />
        <SubscriptionTables id={record.id} currency={record.attributes.amount_currency} />
        <FoldedRecord record={record as Resource} />
      </Stack>
    </>
  );
}
