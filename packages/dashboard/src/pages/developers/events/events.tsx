import { useMemo } from 'react';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import type { Column } from '../../../parts/table/column.ts';
import { ResourceTable } from '../../../parts/table/resource-table.tsx';
import type { RowName } from '../../../parts/table/row/row-name.ts';
import { createdColumn } from '../../../parts/table/usual-columns.tsx';
import { EventName } from '../../../parts/value/event-name.tsx';
import { useInstantText } from '../../../parts/value/instant.tsx';
import { codeOf } from './event-code.ts';

export function Events() {
  const t = useTexts('developers');
  const columns = useEventColumns();
  const instantText = useInstantText();
  const rowName: RowName<'events'> = {
    nameOf: ({ attributes: { resource_id, created_at } }) =>
      [resource_id, created_at && instantText(created_at)].filter(Boolean).join(', '),
  };
  return (
    <>
      <PageTitle title={t('events')} />
      <ResourceTable
        type="events"
        label={t('events')}
        columns={columns}
        rowName={rowName}
        empty={<EmptyState title={t('events_none')} hint={t('events_none_hint')} />}
      />
    </>
  );
}

function useEventColumns(): Column<'events'>[] {
  const t = useTexts('developers');
  const names = useNames();
  return useMemo(
    () => [
      {
        key: 'slug',
        title: t('event'),
        sort: 'slug',
        cell: (record) => <EventName code={codeOf(record)} isStacked />,
      },
      {
        key: 'resource_id',
        title: t('event_about'),
        cell: ({ attributes }) => attributes.resource_id,
      },
      createdColumn(names),
    ],
    [t, names],
  );
}
