import { UnstyledButton } from '@mantine/core';
import type { ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Icon } from '../value/icon.tsx';
import type { Column } from './column.ts';
import classes from './table.module.css';

interface Props<T extends ResourceType> {
  readonly columns: readonly Column<T>[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** Column heads. Sortable heads are buttons that cycle through descending, ascending and unsorted. */
export function HeaderCells<T extends ResourceType>({ columns, sort, onSort }: Props<T>) {
  return columns.map((column) => (
    <th
      key={column.key}
      scope="col"
      data-numeric={column.numeric ?? false}
      {...(column.sort && { 'aria-sort': directionOf(column.sort, sort) })}
    >
      {column.sort ? (
        <SortButton title={column.title} by={column.sort} sort={sort} onSort={onSort} />
      ) : (
        column.title
      )}
    </th>
  ));
}

function directionOf(column: string, sort: string): 'ascending' | 'descending' | 'none' {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : 'none';
}

/** Descending first, because people mostly search the latest time or the largest amount. */
const nextSort = {
  none: (column: string) => `-${column}`,
  descending: (column: string) => column,
  ascending: () => '',
};

interface SortProps {
  readonly title: string;
  readonly by: string;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

function SortButton({ title, by, sort, onSort }: SortProps) {
  const t = useTexts('records');
  const direction = directionOf(by, sort);
  return (
    <UnstyledButton
      className={classes.sort ?? ''}
      title={t('sort_by', { column: title })}
      onClick={() => onSort(nextSort[direction](by))}
    >
      {title}
      {direction !== 'none' && <Icon name={direction === 'ascending' ? 'up' : 'down'} size={13} />}
    </UnstyledButton>
  );
}
