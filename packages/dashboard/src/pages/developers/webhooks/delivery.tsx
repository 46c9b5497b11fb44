import { Stack, Table, Text } from '@mantine/core';
import { useRelated } from '../../../api/queries.ts';
import type { Resource } from '../../../api/types.ts';
import { useEventName } from '../../../i18n/use-event-name.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { useAutoRefresh } from '../../../parts/page/use-auto-refresh.ts';
import { RecordActions } from '../../../parts/record/record-actions.tsx';
import { RecordPage } from '../../../parts/record/record-page.tsx';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { EventCode } from '../../../parts/value/event-name.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { JsonView } from '../../../parts/value/json-view.tsx';
import { elapsedText } from '../../../parts/value/quantity.ts';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { codeOf } from '../events/event-code.ts';
import { DeliveryProgress } from './delivery-progress.tsx';
import { useAnswerText } from './use-answer-text.ts';

/** Delivery of an event to a subscription: request, attempts and responses. */
export function Delivery() {
  const t = useTexts('developers');
  const nameOf = useEventName();
  return (
    <RecordPage type="webhook_deliveries" title={t('delivery')} parameters={{ include: 'event' }}>
      {(fetchedDelivery, reload) => {
        const { record, included } = fetchedDelivery;
        const event = included.find(({ type }) => type === 'events');
        return (
          <>
            <PageTitle
              title={event ? nameOf(codeOf(event)) : t('delivery')}
              aside={
                <>
                  {event && <EventCode code={codeOf(event)} />}
                  <StateBadge state={record.attributes.status} />
                </>
              }
              actions={
                <RecordActions
                  type="webhook_deliveries"
                  fetched={fetchedDelivery}
                  reload={reload}
                  reportedByPage={['redeliver']}
                />
              }
            />
            <DeliveryProgress delivery={record} />
            <Stack gap="lg">
              <Attempts id={record.id} isPending={record.attributes.status === 'pending'} />
              {event && <Sent event={event} />}
              <RecordView record={record as Resource} />
            </Stack>
          </>
        );
      }}
    </RecordPage>
  );
}

/** The sent body: the event's document without this installation's own timestamp. */
function Sent({ event: { id, type, attributes: all, relationships } }: { event: Resource }) {
  const t = useTexts('developers');
  const { recorded_at: _recorded, ...attributes } = all;
  const merchant = relationships?.merchant?.data;
  const body = { data: { id, type, attributes, relationships: { merchant: { data: merchant } } } };
  return (
    <Section title={t('delivery_request')}>
      <JsonView value={body} label={t('json_of', { what: t('delivery_request') })} />
    </Section>
  );
}

interface AttemptsProps {
  readonly id: string;
  /** Whether another attempt may follow soon; the list is then refreshed. */
  readonly isPending: boolean;
}

function Attempts({ id, isPending }: AttemptsProps) {
  const t = useTexts('developers');
  useAutoRefresh(isPending);
  const attempts = useRelated('webhook_deliveries', id, 'webhook_delivery_attempts');
  return (
    <Section title={t('delivery_attempts')}>
      {attempts.error && (
        <ProblemAlert error={attempts.error} onRetry={() => void attempts.refetch()} />
      )}
      {attempts.isPending && <Loading />}
      {attempts.data?.data.length === 0 && <Text size="sm">{t('attempts_none')}</Text>}
      {attempts.data && attempts.data.data.length > 0 && (
        <AttemptTable attempts={attempts.data.data} />
      )}
    </Section>
  );
}

interface Attempt {
  readonly number: number;
  readonly response_status: number | null;
  readonly response_headers: object | null;
  readonly response_body: string | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly created_at: string;
}

function AttemptTable({ attempts }: { readonly attempts: readonly Resource[] }) {
  const t = useTexts('developers');
  const names = useNames();
  return (
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={t('delivery_attempts')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('attempt_number')}</Table.Th>
            <Table.Th scope="col">{names.field('created_at')}</Table.Th>
            <Table.Th scope="col">{t('delivery_answer')}</Table.Th>
            <Table.Th scope="col">{t('duration')}</Table.Th>
            <Table.Th scope="col">{t('attempt_body')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attempts.map(({ id, attributes }) => (
            <AttemptRow key={id} attempt={attributes as unknown as Attempt} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function AttemptRow({ attempt }: { readonly attempt: Attempt }) {
  const t = useTexts('developers');
  const locale = useLocale();
  const answerText = useAnswerText();
  const { number, created_at, response_status, error, duration_ms } = attempt;
  const { response_body, response_headers } = attempt;
  return (
    <Table.Tr>
      <Table.Td>{number}</Table.Td>
      <Table.Td>
        <Instant at={created_at} />
      </Table.Td>
      <Table.Td title={error ?? undefined}>{answerText(response_status, error)}</Table.Td>
      <Table.Td>{elapsedText(duration_ms, locale)}</Table.Td>
      <Table.Td>
        {response_status !== null && (
          <details>
            <summary aria-label={`${t('show_answer')}: ${t('attempt_number')} ${number}`}>
              {t('show_answer')}
            </summary>
            <JsonView
              value={{ headers: response_headers, body: response_body }}
              label={t('attempt_body')}
            />
          </details>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
