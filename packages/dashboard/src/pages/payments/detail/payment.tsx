import { Breadcrumbs, Stack } from '@mantine/core';
import type { Fetched } from '../../../api/queries.ts';
import type { Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { listPath } from '../../../parts/page/record-path.ts';
import { useFresh } from '../../../parts/page/use-fresh.ts';
import { RecordPage, useReadable } from '../../../parts/record/record-page.tsx';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Timeline } from '../../../parts/record/timeline.tsx';
import { useAmountText } from '../../../parts/value/money.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { Parties } from './parties.tsx';
import { PaymentActions } from './payment-actions.tsx';
import { PaymentFacts, shownFacts } from './payment-facts.tsx';
import { useTimeline } from './timeline-entries.tsx';
import { useHistory } from './use-history.ts';

const UNDER_WAY: ReadonlySet<string> = new Set(['pending', 'processing']);

/** Relations to include, each with the permission to read it. */
const parties = {
  payer: 'consumer.customers.read',
  payment_method: 'consumer.payment_methods.read',
  billing_address: 'consumer.consumer_addresses.read',
  shipping_address: 'consumer.consumer_addresses.read',
} as const;

/** A payment: facts, timeline and actions. */
export function Payment() {
  const t = useTexts('payments');
  return (
    <RecordPage
      type="payment_demands"
      title={t('payment')}
      parameters={useReadable(parties)}
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
  readonly fetched: Fetched<'payment_demands'>;
  readonly reload: () => void;
}

function PaymentPage({ fetched, reload }: Props) {
  const { record, included } = fetched;
  const { amount_cents, amount_currency, status } = record.attributes;
  const amountText = useAmountText();
  return (
    <>
      <PageTitle
        title={amountText(amount_cents, amount_currency)}
        aside={<StateBadge state={status} />}
        actions={<PaymentActions fetched={fetched} reload={reload} />}
      />
      <Stack gap="lg">
        <PaymentFacts payment={record} />
        <PaymentTimeline payment={record} />
        <Parties payment={record as Resource} included={included} />
        <RecordView record={record as Resource} without={shownFacts} />
      </Stack>
    </>
  );
}

function PaymentTimeline({ payment }: { readonly payment: Fetched<'payment_demands'>['record'] }) {
  const t = useTexts('payments');
  const history = useHistory(payment.id);
  const entries = useTimeline(payment, history);
  const { refunds, captures } = history;
  const isUnderWay = [payment, ...refunds, ...captures].some(({ attributes }) =>
    UNDER_WAY.has(attributes.status),
  );
  useFresh(isUnderWay);
  return (
    <Section title={t('timeline')}>
      {history.error != null && <ProblemAlert error={history.error} onRetry={history.retry} />}
      {history.isPending ? (
        <Loading rows={5} />
      ) : (
        <Timeline entries={entries} label={t('timeline')} />
      )}
    </Section>
  );
}
