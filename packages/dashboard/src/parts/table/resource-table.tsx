import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Parameters } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import type { ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { Loading } from '../feedback/loading.tsx';
import { ProblemAlert } from '../feedback/problem-alert.tsx';
import { ScopedLink } from '../page/links.tsx';
import { listPath, recordPath } from '../page/record-path.ts';
import { useAddressSearch } from '../page/search.ts';
import type { Column } from './column.ts';
import { CsvButton } from './csv-button.tsx';
import { listParameters, readFilters } from './filter/filters.ts';
import type { OwnFilters } from './filter/own-filters.ts';
import { type RowName, useRowName } from './row/row-name.ts';
import type { Selection } from './selection.ts';
import { TableToolbar } from './table-toolbar.tsx';
import { type ColumnChoice, useColumns } from './use-columns.tsx';
import { useListWindow } from './use-list-window.ts';
import { VirtualTable } from './virtual-table.tsx';

interface Props<T extends ResourceType> {
  readonly type: T;
  /** Name of the table for screen readers. */
  readonly label: string;
  /** Default columns of this table; otherwise those of the definition. */
  readonly columns?: readonly Column<T>[];
  /** Query parameters that always apply, such as `{ include: 'payer' }` or `{ 'filter[customer]': id }`. */
  readonly fixed?: Parameters;
  /** Path of a row's page, as in `ScopedLink`. Default: the record's page. */
  readonly to?: (id: string) => string;
  /** Content for an empty list. Default: a sentence. */
  readonly empty?: ReactNode;
  /**
   * Hides filters, columns and sorting, for the first records within another page. A link leads to the others;
   * `linked` if the page has a link of its own.
   */
  readonly plain?: boolean | 'linked';
  /** Additional buttons. */
  readonly actions?: ReactNode;
  /** Button that exports the list with its parameters. Default: a link to the raw file. */
  readonly exporter?: (parameters: Parameters) => ReactNode;
  /** Names of the rows. Default: title, amount and time of the record. */
  readonly rowName?: RowName<T> | undefined;
  /** Chosen rows; absent: rows cannot be chosen. */
  readonly selection?: Selection;
  /** Filters of the page, shown before those for any field. */
  readonly own?: OwnFilters;
}

/** Rows of a table within another page. */
const PLAIN_ROWS = 10;

/**
 * Table of records of a type. The query of the address contains filters and sorting, as in the interface. Pages load
 * while the person scrolls.
 */
export function ResourceTable<T extends ResourceType>(props: Props<T>) {
  const { type, fixed, plain = false } = props;
  const definition = useRegistry()[type] as Definition;
  const [search, change] = useAddressSearch();
  const filters = plain ? {} : listParameters(search);
  const parameters = { ...filters, ...fixed };
  const listWindow = useListWindow(type, parameters);
  const { list, rows, error, retry } = listWindow;
  const columns = useColumns<T>(definition, props.columns);
  const shared = { ...props, ...listWindow, definition, columns, search, change, parameters };
  return (
    <>
      {!plain && <Toolbar {...shared} />}
      {error && <ProblemAlert error={error} onRetry={retry} />}
      {list.isPending && <Loading />}
      {list.isSuccess && rows.records.length === 0 && (
        <EmptyTable
          isFiltered={readFilters(filters).length > 0 && !parameters.q}
          empty={props.empty}
        />
      )}
      {rows.records.length > 0 && <Rows {...shared} />}
    </>
  );
}

interface PartProps<T extends ResourceType>
  extends Omit<Props<T>, 'columns'>,
    ReturnType<typeof useListWindow<T>> {
  readonly definition: Definition;
  readonly columns: ColumnChoice<T>;
  readonly search: Parameters;
  readonly change: (changes: Parameters) => void;
  readonly parameters: Parameters;
}

function Toolbar<T extends ResourceType>(props: PartProps<T>) {
  const { type, definition, columns, search, change, parameters, list, rows, actions, own } = props;
  const { exporter = (listed) => <CsvButton type={type} parameters={listed} /> } = props;
  return (
    <TableToolbar
      definition={definition}
      columns={columns}
      search={search}
      change={change}
      count={list.isSuccess && !list.isPlaceholderData ? rows.count : undefined}
      hasMore={rows.hasMore && !list.isPlaceholderData}
      isFetching={list.isFetching}
      refresh={() => void list.refetch()}
      own={own}
      actions={
        <>
          {actions}
          {definition.operations.includes('list') && exporter(parameters)}
        </>
      }
    />
  );
}

function Rows<T extends ResourceType>(props: PartProps<T>) {
  const { type, label, plain, columns, search, change, rows, to, fixed, selection } = props;
  const { list, parameters } = props;
  const rowName = useRowName(props.definition, columns.shown, props.rowName);
  const shown = plain ? { ...rows, count: Math.min(rows.count, PLAIN_ROWS), hasMore: false } : rows;
  const hasOthers = rows.hasMore || rows.count > PLAIN_ROWS;
  const table = (
    <VirtualTable
      key={JSON.stringify(parameters)}
      label={label}
      columns={plain ? columns.shown.map(withoutSort) : columns.shown}
      rows={shown}
      isPlain={Boolean(plain)}
      isStale={list.isPlaceholderData}
      sort={search.sort ?? ''}
      onSort={(sort) => change({ sort })}
      to={to ?? ((id) => recordPath(type, id))}
      rowName={rowName}
      selection={selection}
    />
  );
  if (plain !== true || !hasOthers) return table;
  return (
    <>
      {table}
      <ShowAll type={type} label={label} {...(fixed && { fixed })} />
    </>
  );
}

/** Link to the list with the same filters. */
function ShowAll({
  type,
  label,
  fixed = {},
}: Pick<Props<ResourceType>, 'type' | 'label' | 'fixed'>) {
  const t = useTexts('records');
  const filters = Object.entries(fixed).filter(([name]) => name.startsWith('filter['));
  return (
    <Text size="sm" mt="sm">
      <ScopedLink
        to={listPath(type)}
        search={Object.fromEntries(filters)}
        aria-label={t('show_all_of', { what: label })}
      >
        {t('show_all')}
      </ScopedLink>
    </Text>
  );
}

const withoutSort = <T extends ResourceType>({ sort: _sort, ...column }: Column<T>): Column<T> =>
  column;

function EmptyTable({ isFiltered, empty }: { isFiltered: boolean; empty: ReactNode }) {
  const t = useTexts('records');
  if (isFiltered) {
    return <EmptyState title={t('empty_filtered')} hint={t('empty_filtered_hint')} />;
  }
  return empty ?? <EmptyState title={t('empty')} />;
}
