import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { type ReactNode, useMemo } from 'react';
import { type Parameters, useList } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import type { ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { Loading } from '../feedback/loading.tsx';
import { ProblemAlert } from '../feedback/problem-alert.tsx';
import { recordPath } from '../page/record-path.ts';
import { useAddressSearch } from '../page/search.ts';
import { type Column, includedByKey } from './column.ts';
import { CsvButton } from './csv-button.tsx';
import { listParameters, readFilters } from './filters.ts';
import { TableToolbar } from './table-toolbar.tsx';
import { useColumns } from './use-columns.tsx';
import { VirtualTable } from './virtual-table.tsx';

interface Props<T extends ResourceType> {
  readonly type: T;
  /** What the table is of, for who hears the page. */
  readonly label: string;
  /** The columns that are shown where the person has not chosen; those of the definition without them. */
  readonly columns?: readonly Column<T>[];
  /** Parameters that always hold, such as `{ include: 'payer' }` or `{ 'filter[customer]': id }`. */
  readonly fixed?: Parameters;
  /** Where a row leads, as of `ScopedLink`; to the record's page without it. */
  readonly to?: (id: string) => string;
  /** Stands where there is nothing at all; a plain sentence without it. */
  readonly empty?: ReactNode;
  /** Without filters, choice of columns and order: for a few records within another page. */
  readonly plain?: boolean;
  /** More buttons of the list. */
  readonly actions?: ReactNode;
}

/**
 * The records of a type as a table: filtered and sorted by the parameters of the address, which are those of the
 * interface, and read page by page as somebody scrolls.
 */
export function ResourceTable<T extends ResourceType>(props: Props<T>) {
  const { type, label, fixed, plain = false, actions, to } = props;
  const definition = useRegistry()[type] as Definition;
  const [search, change] = useAddressSearch();
  const asked = plain ? {} : listParameters(search);
  const list = useList(type, { ...asked, ...fixed });
  const columns = useColumns<T>(definition, props.columns);
  const pages = list.data?.pages;
  const records = useMemo(() => pages?.flatMap(({ data }) => data) ?? [], [pages]);
  const included = useMemo(
    () => includedByKey(pages?.flatMap((page) => page.included ?? []) ?? []),
    [pages],
  );
  return (
    <>
      {!plain && (
        <TableToolbar
          definition={definition}
          columns={columns}
          search={search}
          change={change}
          count={records.length}
          hasMore={list.hasNextPage}
          isFetching={list.isFetching}
          refresh={() => void list.refetch()}
          actions={
            <>
              {actions}
              {definition.operations.includes('list') && (
                <CsvButton type={type} parameters={{ ...asked, ...fixed }} />
              )}
            </>
          }
        />
      )}
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.isSuccess && records.length === 0 && (
        <NothingHere isFiltered={readFilters(asked).length > 0} empty={props.empty} />
      )}
      {records.length > 0 && (
        <VirtualTable
          label={label}
          columns={plain ? columns.shown.map(unsorted) : columns.shown}
          records={records}
          included={included}
          sort={search.sort ?? ''}
          onSort={(sort) => change({ sort })}
          to={to ?? ((id) => recordPath(type, id))}
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          loadMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}

const unsorted = <T extends ResourceType>({ sort: _sort, ...column }: Column<T>): Column<T> =>
  column;

function NothingHere({ isFiltered, empty }: { isFiltered: boolean; empty: ReactNode }) {
  const t = useTexts('records');
  if (isFiltered) {
    return <EmptyState title={t('empty_filtered')} hint={t('empty_filtered_hint')} />;
  }
  return empty ?? <EmptyState title={t('empty')} />;
}
