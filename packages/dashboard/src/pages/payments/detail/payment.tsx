import { Breadcrumbs, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FetchedRecord } from '../../../api/queries.ts';
import type { Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { listPath } from '../../../parts/page/record-path.ts';
import { useAutoRefresh } from '../../../parts/page/use-auto-refresh.ts';
import { RecordPage, useReadable } from '../../../parts/record/record-page.tsx';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Timeline } from '../../../parts/record/timeline.tsx';
import { useAmountText } from '../../../parts/value/money.tsx';
import { PaymentBadge } from '../../../parts/value/payment-badge.tsx';
import { AttemptList } from './attempt-list.tsx';
import { DocumentButton } from './document-link.tsx';
import { historyOf, historyRelations } from './history.ts';
import { Items, shownInItems } from './items.tsx';
import { Parties } from './parties.tsx';
import { PaymentActions } from './payment-actions.tsx';
import { PaymentFacts, shownFacts } from './payment-facts.tsx';
import { useTimeline } from './timeline-entries.tsx';
import { noDetails, useDetails } from './use-details.ts';

const IN_PROGRESS: ReadonlySet<string> = new Set(['pending', 'processing']);

/** Related records that the page shows first, each with the permission to read it. One request reads all of them. */
const shownColumns = {
  payer: 'consumer.customers.read',
  payment_method: 'consumer.payment_methods.read',
  billing_address: 'consumer.consumer_addresses.read',
  shipping_address: 'consumer.consumer_addresses.read',
  'payment_attempts.processor_detail': 'banking.processor_details.read',
  ...historyRelations,
} as const;

/** A payment: facts, timeline and actions. */
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
            <PaymentActions fetched={fetched} reload={reload} />
          </>
        }
      />
      <Stack gap="lg">
        <PaymentFacts payment={record} />
        <Items payment={record} />
        <PaymentTimeline fetched={fetched} />
        <AttemptList attempts={historyOf(included).attempts} />
        <Parties payment={record as Resource} included={included} />
        <RecordView record={record as Resource} without={[...shownFacts, ...shownInItems]} />
      </Stack>
    </>
  );
}

function PaymentTimeline({ fetched }: Pick<Props, 'fetched'>) {
  const { record, included } = fetched;
  const t = useTexts('payments');
  const [isWhole, { toggle }] = useDisclosure(false);
  const history = historyOf(included);
  const details = useDetails(record.id, history, isWhole);
  const entries = useTimeline(record, history, isWhole ? details : noDetails);
  const isInProgress = [record, ...history.refunds, ...history.captures].some(({ attributes }) =>
    IN_PROGRESS.has(attributes.status),
  );
  useAutoRefresh(isInProgress);
  return (
    <Section
      title={t('timeline')}
      actions={
        <Button
          size="compact-sm"
          variant="subtle"
          aria-expanded={isWhole}
          loading={isWhole && details.isPending}
          onClick={toggle}
        >
          {t(isWhole ? 'timeline_less' : 'timeline_more')}
        </Button>
      }
    >
      {isWhole && details.error != null && (
        <ProblemAlert error={details.error} onRetry={details.retry} />
      )}
      <Timeline entries={entries} label={t('timeline')} />
    </Section>
  );
}
