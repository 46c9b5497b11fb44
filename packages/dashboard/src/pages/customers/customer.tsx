import { Alert, Breadcrumbs, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
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
import { FoldedRecord } from '../../parts/record/record-view.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { NewLinkDialog } from '../links/new-link/new-link-dialog.tsx';
import { CustomerFacts } from './customer-facts.tsx';
import { CustomerFigureCards } from './customer-figures.tsx';
import { CustomerTables } from './customer-tables.tsx';
import { DuplicateHint } from './merge/duplicate-hint.tsx';
import { MergeButton } from './merge/merge-button.tsx';
import { MergedAlert } from './merge/merged-alert.tsx';
import { MergedCustomers } from './merge/merged-customers.tsx';
import { MovingAlert } from './merge/moving-alert.tsx';
import { useDuplicate } from './merge/use-duplicate.ts';

/** A customer with its payments, subscriptions, cards and addresses. */
export function Customer() {
  const t = useTexts('customers');
  const id = useParameter('id');
  const query = useRecord('customers', id, { include: 'merged_into' });
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
  const { name, email, blocked_at, merged_at } = record.attributes;
  const can = useCan();
  const mayMerge = can('consumer.customer_merges.create');
  const duplicate = useDuplicate(record, { isEnabled: mayMerge && !merged_at });
  return (
    <>
      <PageTitle
        title={name || email}
        aside={blocked_at && <StateBadge state="blocked" />}
        actions={
          <>
            {!blocked_at && !merged_at && <NewPurchases customer={record} />}
            {mayMerge && <MergeButton customer={record} />}
            {!merged_at && (
              <RecordActions
                type="customers"
                fetched={fetched}
                reload={reload}
                without={[blocked_at ? 'block' : 'unblock']}
              />
            )}
          </>
        }
      />
      <Stack gap="lg">
        {blocked_at && (
          <Alert color="red" variant="light" title={t('blocked')}>
            <Instant at={blocked_at} />
          </Alert>
        )}
        <MergedAlert fetched={fetched} />
        {!merged_at && <MovingAlert target={record.id} />}
        {mayMerge && <DuplicateHint customer={record} duplicate={duplicate} />}
        {!merged_at && <CustomerFigureCards id={record.id} />}
        <CustomerFacts customer={record} />
        {!merged_at && <CustomerTables id={record.id} />}
        {!merged_at && <MergedCustomers target={record.id} />}
        <FoldedRecord record={record as Resource} withoutRelations />
      </Stack>
    </>
  );
}

type Customers = Props['fetched']['record'];

/** Opens the terminal with this customer, or the dialog of a link. */
function NewPurchases({ customer: { id, attributes } }: { readonly customer: Customers }) {
  const t = useTexts('customers');
  const can = useCan();
  const [isOpen, { open, close }] = useDisclosure(false);
  const { takes_payments } = useScope();
  if (!takes_payments) return null;
  return (
    <>
      {can('transaction.payment_demands.create') && (
        <LinkButton to="payments/new" search={{ customer: id }}>
          {t('new_payment')}
        </LinkButton>
      )}
      {can('transaction.payment_subscriptions.create') && (
        <LinkButton variant="default" to="subscriptions/new" search={{ customer: id }}>
          {t('new_subscription')}
        </LinkButton>
      )}
      {can('transaction.payment_links.create') && (
        <>
          <Button variant="default" onClick={open}>
            {t('new_link')}
          </Button>
          <NewLinkDialog
            isOpen={isOpen}
            onClose={close}
            customer={{ id, name: attributes.name || attributes.email }}
          />
        </>
      )}
    </>
  );
}
