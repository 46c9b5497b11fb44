import { useMemo } from 'react';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import type { Column } from '../../../parts/table/column.ts';
import { Instant } from '../../../parts/value/instant.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { codeOf } from '../events/event-code.ts';

/** The columns of deliveries whose list includes their events. */
export function useDeliveryColumns(): Column<'webhook_deliveries'>[] {
  const t = useTexts('developers');
  const names = useNames();
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
        cell: (_record, related) => codeOf(related('event')) ?? '–',
      },
      {
        key: 'last_response_status',
        title: t('delivery_answer'),
        cell: ({ attributes: { last_response_status, last_error } }) =>
          last_response_status ?? last_error ?? '–',
      },
      {
        key: 'attempts_count',
        title: t('delivery_attempts'),
        numeric: true,
        cell: ({ attributes }) => attributes.attempts_count,
      },
      {
        key: 'created_at',
        title: names.field('created_at'),
        sort: 'created_at',
        cell: ({ attributes: { created_at } }) => created_at && <Instant at={created_at} />,
      },
    ],
    [t, names],
  );
}
