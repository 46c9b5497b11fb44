import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { ActionIcon, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Parameters } from '../../api/queries.ts';
import type { ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Icon } from '../value/icon.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { FilterBar } from './filter/filter-bar.tsx';
import type { OwnFilters } from './filter/own-filters.ts';
import type { ColumnChoice } from './use-columns.tsx';

interface Props<T extends ResourceType> {
  readonly definition: Definition;
  readonly columns: ColumnChoice<T>;
  readonly search: Parameters;
  readonly change: (changes: Parameters) => void;
  /** Undefined until the first rows are read. */
  readonly count: number | undefined;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  readonly refresh: () => void;
  readonly actions: ReactNode;
  readonly own?: OwnFilters | undefined;
}

/** Filters, row count and buttons above a table. */
export function TableToolbar<T extends ResourceType>(props: Props<T>) {
  const { definition, columns, search, change, isFetching, refresh, actions, own } = props;
  const t = useTexts('records');
  return (
    <Group justify="space-between" mb="sm" gap="xs" align="flex-start">
      <FilterBar definition={definition} search={search} change={change} own={own} />
      <Group gap="xs">
        <Count count={props.count} hasMore={props.hasMore} />
        {actions}
        <ColumnMenu columns={columns} />
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t('refresh')}
          title={t('refresh')}
          loading={isFetching}
          onClick={refresh}
        >
          <Icon name="refresh" />
        </ActionIcon>
      </Group>
    </Group>
  );
}

/** Row count. Screen readers announce it after a search or filter: also the same count, because it was empty meanwhile. */
function Count({ count, hasMore }: Pick<Props<ResourceType>, 'count' | 'hasMore'>) {
  const t = useTexts('records');
  return (
    <Text size="sm" c="dimmed" role="status">
      {count !== undefined && t.count('rows_loaded', count)}
      {hasMore && `, ${t('rows_more')}`}
    </Text>
  );
}
