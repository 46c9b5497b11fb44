import { Alert, Breadcrumbs, Stack } from '@mantine/core';
import { type FetchedRecord, useRecord } from '../../api/queries.ts';
import { useCan, useScope } from '../../api/scope.ts';
import type { Resource } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath, recordPath } from '../../parts/page/record-path.ts';
import { useParameter } from '../../parts/page/search.ts';
import { useAutoRefresh } from '../../parts/page/use-auto-refresh.ts';
import { DefinitionPairs } from '../../parts/record/definition-pairs.tsx';
import { FoldedRecord } from '../../parts/record/record-view.tsx';
import { Section } from '../../parts/record/section.tsx';
import { includedByKey, relatedOf } from '../../parts/table/column.ts';
import { useAmountText } from '../../parts/value/money.tsx';
import { Deadline } from './deadline.tsx';
import { DisputeActions } from './dispute-actions.tsx';
import { DisputeBadge } from './dispute-badge.tsx';
import { DisputeFiles } from './dispute-files.tsx';
import { PAYER, usePayerInclude } from './disputed-payer.ts';
import { EvidenceForm } from './evidence-form.tsx';
import { DisputeRefund } from './refund.tsx';
import { SentEvidence } from './sent-evidence.tsx';
import { useEvidence } from './use-evidence.ts';
import { useEvidenceRules } from './use-evidence-rules.ts';

/** A dispute: deadline, evidence and outcome. */
export function Dispute() {
  const t = useTexts('disputes');
  const id = useParameter('id');
  const query = useRecord('disputes', id, { include: usePayerInclude() });
  const reload = () => void query.refetch();
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to={listPath('disputes')}>{t('disputes')}</ScopedLink>
      </Breadcrumbs>
      {query.data ? (
        <DisputePage key={id} fetched={query.data} reload={reload} />
      ) : (
        <>
          <PageTitle title={t('dispute')} />
          {query.error ? <ProblemAlert error={query.error} onRetry={reload} /> : <Loading />}
        </>
      )}
    </>
  );
}

interface Props {
  readonly fetched: FetchedRecord<'disputes'>;
  readonly reload: () => void;
}

function DisputePage({ fetched, reload }: Props) {
  const { record, included } = fetched;
  const t = useTexts('disputes');
  const can = useCan();
  const amountText = useAmountText();
  const { amount_cents, amount_currency, status } = record.attributes;
  const mayWrite = can('transaction.disputes.update');
  const evidence = useEvidence(fetched, reload);
  const rules = useEvidenceRules(record.id);
  const removed = rules.data?.data.removed_account;
  const mayAnswer = removed === null;
  useAutoRefresh(useIsDecidedSoon(status));
  const isOpen = mayAnswer && (record.meta?.allowed_actions?.includes('update') ?? false);
  return (
    <>
      <PageTitle
        title={amountText(amount_cents, amount_currency)}
        aside={<DisputeBadge status={status} />}
        actions={mayWrite && mayAnswer && <DisputeActions dispute={record} evidence={evidence} />}
      />
      <Stack gap="lg">
        <Facts dispute={record} included={included} />
        {record.attributes.response_problem && (
          <Alert color="red" variant="light" title={t('refused')}>
            {record.attributes.response_problem}
          </Alert>
        )}
        {status === 'lost' && record.attributes.second_chargeback_at && (
          <Alert color="red" variant="light" title={t('lost_again')}>
            {t('lost_again_hint')}
          </Alert>
        )}
        {removed && isUndecided(status) && (
          <Alert color="orange" variant="light" title={t('account_removed')}>
            {t('account_removed_hint', { account: removed })}
          </Alert>
        )}
        {!isOpen && <SentEvidence dispute={record} />}
        {can('transaction.dispute_files.read') && (
          <DisputeFiles
            dispute={record.id}
            rules={rules.data?.data}
            mayChange={isOpen && can('transaction.dispute_files.create')}
          />
        )}
        {rules.error && <ProblemAlert error={rules.error} onRetry={() => void rules.refetch()} />}
        {isOpen && mayWrite && rules.data && (
          <EvidenceForm evidence={evidence} rules={rules.data.data} />
        )}
        <FoldedRecord record={record as Resource} without={['amount_cents', 'amount_currency']} />
      </Stack>
    </>
  );
}

/** The bank of the sandbox decides within seconds; a real bank takes weeks. */
const useIsDecidedSoon = (status: string): boolean =>
  useScope().mode === 'sandbox' && (status === 'accepted' || status === 'under_review');

const isUndecided = (status: string) => status !== 'won' && status !== 'lost';

interface FactsProps {
  readonly dispute: FetchedRecord<'disputes'>['record'];
  readonly included: readonly Resource[];
}

function Facts({ dispute, included }: FactsProps) {
  const t = useTexts('disputes');
  const names = useNames();
  const can = useCan();
  const payment = dispute.relationships?.payment_demand?.data;
  const payer = relatedOf(dispute, includedByKey(included))(PAYER);
  const pairs = [
    ...(payer
      ? [{ key: 'payer', term: names.field('payer'), value: <Payer payer={payer} /> }]
      : []),
    { key: 'reason', term: names.field('reason'), value: names.value(dispute.attributes.reason) },
    {
      key: 'due',
      term: names.field('evidence_due_at'),
      value: <Deadline dispute={dispute} />,
    },
    {
      key: 'payment',
      term: names.field('payment_demand'),
      value:
        payment && 'id' in payment ? (
          <ScopedLink to={recordPath('payment_demands', payment.id)}>
            {t('open_payment')}
          </ScopedLink>
        ) : (
          '–'
        ),
    },
    ...(payment && 'id' in payment && can('transaction.payment_demands.read')
      ? [
          {
            key: 'refund',
            term: t('refund'),
            value: <DisputeRefund dispute={dispute} paymentId={payment.id} />,
          },
        ]
      : []),
  ];
  return (
    <Section title={t('facts')}>
      <DefinitionPairs pairs={pairs} />
    </Section>
  );
}

/** Name or email address of the payer, as link. */
function Payer({ payer: { id, attributes } }: { readonly payer: Resource }) {
  return (
    <ScopedLink to={recordPath('customers', id)}>
      {String(attributes.name || attributes.email || '–')}
    </ScopedLink>
  );
}
