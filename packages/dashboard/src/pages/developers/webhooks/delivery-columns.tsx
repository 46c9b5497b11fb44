import { useMemo } from 'react';
import { useEventName } from '../../../i18n/use-event-name.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import type { Column } from '../../../parts/table/column.ts';
import type { RowName } from '../../../parts/table/row/row-name.ts';
import { createdColumn } from '../../../parts/table/usual-columns.tsx';
import { EventName } from '../../../parts/value/event-name.tsx';
import { useInstantText } from '../../../parts/value/instant.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { codeOf } from '../events/event-code.ts';
import { useAnswerText } from './use-answer-text.ts';

/** Placeholder for a list without deliveries. */
export function DeliveriesNone() {
  const t = useTexts('developers');
  return <EmptyState title={t('deliveries_none')} hint={t('deliveries_none_hint')} />;
}

/** Names of the rows of deliveries: event and time. */
export function useDeliveryRowName(): RowName<'webhook_deliveries'> {
  const eventName = useEventName();
  const instantText = useInstantText();
  return {
    nameOf: ({ attributes: { created_at } }, related) => {
      const event = related('event');
      return [event && eventName(codeOf(event)), created_at && instantText(created_at)]
        .filter(Boolean)
        .join(', ');
    },
  };
}

/** Columns of deliveries. The list must include the relation to their events. */
export function useDeliveryColumns(): Column<'webhook_deliveries'>[] {
  const t = useTexts('developers');
  const names = useNames();
  const answerText = useAnswerText();
  return useMemo(
    () => [
      {
        key: 'status',
        title: names.field('status'),
        sort: 'status',
        cell: ({ attributes }) => <StateBadge state={attributes.status} />,
      },
      {
        key: 'event',
        title: t('event'),
        cell: (_record, related) => {
          const event = related('event');
          return event ? <EventName code={codeOf(event)} isStacked /> : '–';
        },
      },
      {
        key: 'last_response_status',
        title: t('delivery_answer'),
        cell: ({ attributes: { last_response_status, last_error } }) =>
          answerText(last_response_status ?? null, last_error ?? null),
      },
      {
        key: 'attempts_count',
        title: t('delivery_attempts'),
        numeric: true,
        cell: ({ attributes }) => attributes.attempts_count,
      },
      createdColumn(names),
    ],
    [t, names, answerText],
  );
}
