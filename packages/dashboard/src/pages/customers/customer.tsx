import { Alert, Breadcrumbs, Stack } from '@mantine/core';
import { type FetchedRecord, useRecord } from '../../api/queries.ts';
import { useCan, useScope } from '../../api/scope.ts';
import type { Resource } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { LinkButton, ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { useParameter } from '../../parts/page/search.ts';
import { RecordActions } from '../../parts/record/record-actions.tsx';
import { RecordView } from '../../parts/record/record-view.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { CustomerFacts } from './customer-facts.tsx';
import { CustomerFigureCards } from './customer-figures.tsx';
import { CustomerTables } from './customer-tables.tsx';

/** A customer with its payments, subscriptions, cards and addresses. */
export function Customer() {
  const t = useTexts('customers');
  const id = useParameter('id');
  const query = useRecord('customers', id);
  const reload = () => void query.refetch();
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to={listPath('customers')}>{t('customers')}</ScopedLink>
      </Breadcrumbs>
      {query.data ? (
        <CustomerPage key={id} fetched={query.data} reload={reload} />
      ) : (
        <>
          <PageTitle title={t('customer')} />
          {query.error ? <ProblemAlert error={query.error} onRetry={reload} /> : <Loading />}
        </>
      )}
    </>
  );
}

interface Props {
  readonly fetched: FetchedRecord<'customers'>;
  readonly reload: () => void;
}

function CustomerPage({ fetched, reload }: Props) {
  const t = useTexts('customers');
  const { record } = fetched;
  const { name, email, blocked_at } = record.attributes;
  return (
    <>
      <PageTitle
        title={name || email}
        aside={blocked_at && <StateBadge state="blocked" />}
        actions={
          <>
            {!blocked_at && <NewPurchases customer={record.id} />}
            <RecordActions
              type="customers"
              fetched={fetched}
              reload={reload}
              without={[blocked_at ? 'block' : 'unblock']}
            />
          </>
        }
      />
      <Stack gap="lg">
        {blocked_at && (
          <Alert color="red" variant="light" title={t('blocked')}>
            <Instant at={blocked_at} />
          </Alert>
        )}
        <CustomerFigureCards id={record.id} />
        <CustomerFacts customer={record} />
        <CustomerTables id={record.id} />
        <Section title={t('technical')} isCollapsed>
          <RecordView record={record as Resource} withoutRelations />
        </Section>
      </Stack>
    </>
  );
}

/** Opens the terminal with this customer. */
function NewPurchases({ customer }: { readonly customer: string }) {
  const t = useTexts('customers');
  const can = useCan();
  const { takes_payments } = useScope();
  if (!takes_payments) return null;
  return (
    <>
      {can('transaction.payment_demands.create') && (
        <LinkButton to="payments/new" search={{ customer }}>
          {t('new_payment')}
        </LinkButton>
      )}
      {can('transaction.payment_subscriptions.create') && (
        <LinkButton variant="default" to="subscriptions/new" search={{ customer }}>
          {t('new_subscription')}
        </LinkButton>
      )}
    </>
  );
}
