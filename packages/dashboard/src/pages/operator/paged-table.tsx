import { Alert, Button, Center, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Parameters } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { usePages } from './use-pages.ts';
import { WideTable } from './wide-table.tsx';

interface Props<Row> {
  /** Path below `/dashboard/api/operator/`. */
  readonly path: string;
  readonly parameters?: Parameters;
  /** Milliseconds between two reads of the list; absent: it is read once. */
  readonly refresh_ms?: number;
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly PagedColumn<Row>[];
  /** Text for an empty list, including whether an empty list is good. */
  readonly empty: { readonly title: string; readonly hint: string };
}

export interface PagedColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
}

/** A list of the operator console as a table. More pages load on demand. */
export function PagedTable<Row extends { readonly id: string }>(props: Props<Row>) {
  const { path, parameters, refresh_ms, label, columns, empty } = props;
  const t = useTexts('operator');
  const { list, rows, missing_cells } = usePages<Row>(path, parameters, refresh_ms);
  if (list.isPending) return <Loading />;
  return (
    <>
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {missing_cells.length > 0 && (
        <Alert color="yellow" role="alert" mb="md">
          {t('missing_cells')} {missing_cells.join(', ')}
        </Alert>
      )}
      {list.isSuccess && rows.length === 0 && <EmptyState {...empty} />}
      {rows.length > 0 && <Rows label={label} columns={columns} rows={rows} />}
      {list.hasNextPage && (
        <Center mt="md">
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('more_rows')}
          </Button>
        </Center>
      )}
    </>
  );
}

const NARROWEST_PX = 720;

function Rows<Row extends { readonly id: string }>({
  label,
  columns,
  rows,
}: Pick<Props<Row>, 'label' | 'columns'> & { readonly rows: readonly Row[] }) {
  return (
    <WideTable label={label} minWidth={NARROWEST_PX} columns={columns.map(({ title }) => title)}>
      {rows.map((row) => (
        <Table.Tr key={row.id}>
          {columns.map(({ title, cell }) => (
            <Table.Td key={title}>{cell(row)}</Table.Td>
          ))}
        </Table.Tr>
      ))}
    </WideTable>
  );
}
