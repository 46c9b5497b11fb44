import type { PaymentActor } from '@florin/contract/payment-actors.ts';
import { Breadcrumbs, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { type FetchedRecord, useDashboard } from '../../../api/queries.ts';
import { useCan } from '../../../api/scope.ts';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { listPath } from '../../../parts/page/record-path.ts';
import { useAutoRefresh } from '../../../parts/page/use-auto-refresh.ts';
import { RecordPage, useReadable } from '../../../parts/record/record-page.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Timeline } from '../../../parts/record/timeline.tsx';
import { includedByKey, relatedOf } from '../../../parts/table/column.ts';
import { useAmountText } from '../../../parts/value/money.tsx';
import { PaymentBadge } from '../../../parts/value/payment-badge.tsx';
import { DocumentButton } from './document-link.tsx';
import { historyOf, historyRelations } from './history.ts';
import { Items } from './items.tsx';
import { useNoteEntries } from './notes/note-entries.tsx';
import { NoteForm } from './notes/note-form.tsx';
import { PaymentActions } from './payment-actions.tsx';
import { PaymentFacts } from './payment-facts.tsx';
import { ResendReceipt } from './resend-receipt.tsx';
import { useStory } from './story-entries.tsx';
import { TechnicalDetails } from './technical-details.tsx';
import { byInstant } from './technical-entries.tsx';

// Loaded on demand: few payments need the merge.
const PayerDuplicate = lazy(() =>
  import('./payer-duplicate.tsx').then((it) => ({ default: it.PayerDuplicate })),
);

const IN_PROGRESS: ReadonlySet<string> = new Set(['pending', 'processing']);

/** Related records that the page shows first, each with the permission to read it. One request reads all of them. */
const shownColumns = {
  payer: 'consumer.customers.read',
  payment_link: 'transaction.payment_links.read',
  payment_method: 'consumer.payment_methods.read',
  billing_address: 'consumer.consumer_addresses.read',
  shipping_address: 'consumer.consumer_addresses.read',
  'payment_attempts.processor_detail': 'banking.processor_details.read',
  ...historyRelations,
} as const;

/** A payment: who paid what, how and for what; then its story, and technical details on request. */
export function Payment() {
  const t = useTexts('payments');
  return (
    <RecordPage
      type="payment_demands"
      title={t('payment')}
      parameters={useReadable(shownColumns)}
      above={
        <Breadcrumbs mb="xs">
          <ScopedLink to={listPath('payment_demands')}>{t('payments')}</ScopedLink>
        </Breadcrumbs>
      }
    >
      {(fetched, reload) => <PaymentPage fetched={fetched} reload={reload} />}
    </RecordPage>
  );
}

interface Props {
  readonly fetched: FetchedRecord<'payment_demands'>;
  readonly reload: () => void;
}

function PaymentPage({ fetched, reload }: Props) {
  const { record, included } = fetched;
  const { amount_cents, amount_currency } = record.attributes;
  const amountText = useAmountText();
  return (
    <>
      <PageTitle
        title={amountText(amount_cents, amount_currency)}
        aside={<PaymentBadge payment={record.attributes} />}
        actions={
          <>
            <DocumentButton payment={record} />
            <ResendReceipt fetched={fetched} />
            <PaymentActions fetched={fetched} reload={reload} />
          </>
        }
      />
      <Stack gap="lg">
        <LinkPayer fetched={fetched} />
        <PaymentFacts payment={record} included={included} />
        <Items payment={record} />
        <PaymentTimeline fetched={fetched} />
        <TechnicalDetails fetched={fetched} />
      </Stack>
    </>
  );
}

/** Says that the payer of a payment link may be a customer twice, to people who may merge customers. */
function LinkPayer({ fetched: { record, included } }: Pick<Props, 'fetched'>) {
  const can = useCan();
  const related = relatedOf(record as Resource, includedByKey(included));
  const [payer, link] = [related('payer'), related('payment_link')];
  // A link with a customer creates none.
  const createsCustomer = link !== undefined && !link.relationships?.customer?.data;
  if (!payer || !createsCustomer || !can('consumer.customer_merges.create')) return null;
  return (
    <Suspense fallback={null}>
      <PayerDuplicate payer={payer as RecordOf<'customers'>} />
    </Suspense>
  );
}

function PaymentTimeline({ fetched }: Pick<Props, 'fetched'>) {
  const { record, included } = fetched;
  const t = useTexts('payments');
  const history = historyOf(included);
  const actors = useDashboard<readonly PaymentActor[]>(`payments/${record.id}/actors`);
  const card = relatedOf(record as Resource, includedByKey(included))('payment_method');
  const story = useStory({ payment: record, history, actors: actors.data ?? [], card });
  const entries = [...story, ...useNoteEntries(record.id)].toSorted(byInstant);
  const isInProgress = [record, ...history.refunds, ...history.captures].some(({ attributes }) =>
    IN_PROGRESS.has(attributes.status),
  );
  useAutoRefresh(isInProgress);
  return (
    <Section title={t('timeline')}>
      <Timeline entries={entries} label={t('timeline')} />
      <NoteForm paymentId={record.id} />
    </Section>
  );
}
