import { Breadcrumbs, Stack } from '@mantine/core';
import { type Fetched, useRecord } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import type { Resource } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { useParameter } from '../../parts/page/search.ts';
import { useFresh } from '../../parts/page/use-fresh.ts';
import { RecordView } from '../../parts/record/record-view.tsx';
import { SubscriptionActions } from './subscription-actions.tsx';
import { SubscriptionFacts } from './subscription-facts.tsx';
import { SubscriptionState } from './subscription-state.tsx';
import { SubscriptionTables } from './subscription-tables.tsx';

const parties = {
  payer: 'consumer.customers.read',
  payment_method: 'consumer.payment_methods.read',
} as const;

/** One subscription: what is charged when, what was, and what can be done. */
export function Subscription() {
  const id = useParameter('id');
  return <SubscriptionOf key={id} id={id} />;
}

function SubscriptionOf({ id }: { readonly id: string }) {
  const t = useTexts('subscriptions');
  const can = useCan();
  const include = Object.entries(parties)
    .filter(([, permission]) => can(permission))
    .map(([name]) => name)
    .join(',');
  const query = useRecord('payment_subscriptions', id, { include });
  const reload = () => void query.refetch();
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to={listPath('payment_subscriptions')}>{t('subscriptions')}</ScopedLink>
      </Breadcrumbs>
      {query.data ? (
        <SubscriptionPage fetched={query.data} reload={reload} />
      ) : (
        <>
          <PageTitle title={t('subscription')} />
          {query.error ? <ProblemAlert error={query.error} onRetry={reload} /> : <Loading />}
        </>
      )}
    </>
  );
}

interface Props {
  readonly fetched: Fetched<'payment_subscriptions'>;
  readonly reload: () => void;
}

function SubscriptionPage({ fetched, reload }: Props) {
  const t = useTexts('subscriptions');
  const { record, included } = fetched;
  const { slug, status, confirmed } = record.attributes;
  useFresh(confirmed && status === 'pending');
  return (
    <>
      <PageTitle
        title={slug ?? t('subscription')}
        aside={<SubscriptionState subscription={record} />}
        actions={<SubscriptionActions fetched={fetched} reload={reload} />}
      />
      <Stack gap="lg">
        <SubscriptionFacts subscription={record} included={included} />
        <SubscriptionTables id={record.id} />
        <RecordView record={record as Resource} />
      </Stack>
    </>
  );
}
