import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import type { Column } from '../../../parts/table/column.ts';
import { ResourceTable } from '../../../parts/table/resource-table.tsx';
import type { RowName } from '../../../parts/table/row/row-name.ts';
import { createdColumn } from '../../../parts/table/usual-columns.tsx';
import { useInstantText } from '../../../parts/value/instant.tsx';
import { HttpStatus } from './http-status.tsx';

/** Log of requests made with API keys. */
export function Requests() {
  const t = useTexts('developers');
  const columns = useRequestColumns();
  const instantText = useInstantText();
  const rowName: RowName<'api_requests'> = {
    contains: 'method',
    nameOf: ({ attributes: { method, route, status_code, created_at } }) =>
      [`${method} ${route}`, status_code, created_at && instantText(created_at)]
        .filter(Boolean)
        .join(', '),
  };
  return (
    <>
      <PageTitle title={t('requests')} />
      <Text c="dimmed" size="sm" mb="md">
        {t('requests_hint')}
      </Text>
      <ResourceTable
        type="api_requests"
        label={t('requests')}
        columns={columns}
        rowName={rowName}
        empty={<EmptyState title={t('requests_none')} hint={t('requests_none_hint')} />}
      />
    </>
  );
}

function useRequestColumns(): Column<'api_requests'>[] {
  const t = useTexts('developers');
  const names = useNames();
  return useMemo(
    () => [
      {
        key: 'method',
        title: t('request_method'),
        sort: 'method',
        cell: ({ attributes }) => attributes.method,
      },
      {
        key: 'route',
        title: t('request_route'),
        sort: 'route',
        cell: ({ attributes }) => attributes.route,
      },
      {
        key: 'status_code',
        title: t('request_status'),
        sort: 'status_code',
        cell: ({ attributes }) => <HttpStatus status={attributes.status_code} />,
      },
      {
        key: 'error_codes',
        title: t('request_errors'),
        cell: ({ attributes }) => attributes.error_codes.join(', ') || '–',
      },
      createdColumn(names),
    ],
    [t, names],
  );
}
