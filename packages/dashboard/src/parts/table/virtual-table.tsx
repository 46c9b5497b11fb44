import { VisuallyHidden } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useRef, useState } from 'react';
import type { RecordOf, Resource, ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { type Column, relatedOf } from './column.ts';
import { HeaderCells } from './header-cells.tsx';
import { useRowKeys } from './row-keys.ts';
import classes from './table.module.css';
import { TableRow } from './table-row.tsx';

const ROW_PX = 44;
const OVERSCAN = 8;
/** So many rows before the end the next page is asked for. */
const AHEAD = 15;

interface Props<T extends ResourceType> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly records: readonly RecordOf<T>[];
  readonly included: ReadonlyMap<string, Resource>;
  /** The interface's: `-created_at`, or empty. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly to: (id: string) => string;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
}

/** A table of which only the rows in sight are in the page, however many there are. */
export function VirtualTable<T extends ResourceType>(props: Props<T>) {
  const { label, columns, records, included, sort, onSort, to, hasMore, isLoadingMore } = props;
  const t = useTexts('records');
  const hint = useId();
  const region = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const rows = useVirtualizer({
    count: records.length,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const items = rows.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  useMoreRows(props, last?.index ?? 0);
  const keys = useRowKeys(region, records.length, (index) => rows.scrollToIndex(index));
  const stop = items.some(({ index }) => index === active) ? active : first?.index;
  return (
    <div ref={region} className={classes.region}>
      <VisuallyHidden id={hint}>{t('table_keys')}</VisuallyHidden>
      <table
        className={classes.table}
        aria-label={label}
        aria-describedby={hint}
        aria-rowcount={hasMore ? -1 : records.length + 1}
        aria-busy={isLoadingMore}
      >
        <thead>
          <tr aria-rowindex={1}>
            <HeaderCells columns={columns} sort={sort} onSort={onSort} />
          </tr>
        </thead>
        <tbody onKeyDown={keys}>
          <Spacer height={first?.start ?? 0} span={columns.length} />
          {items.map(({ index }) => {
            const record = records[index] as RecordOf<T>;
            return (
              <TableRow
                key={record.id}
                index={index}
                columns={columns}
                record={record}
                related={relatedOf(record as Resource, included)}
                to={to(record.id)}
                isStop={index === stop}
                onFocus={setActive}
              />
            );
          })}
          <Spacer height={rows.getTotalSize() - (last?.end ?? 0)} span={columns.length} />
        </tbody>
      </table>
      {isLoadingMore && <p className={classes.more}>{t('loading_more')}</p>}
    </div>
  );
}

/** Asks for the next page when somebody comes near the end. */
function useMoreRows<T extends ResourceType>(
  { records, hasMore, isLoadingMore, loadMore }: Props<T>,
  lastSeen: number,
): void {
  const isNear = hasMore && !isLoadingMore && lastSeen >= records.length - AHEAD;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `loadMore` is another one at every showing.
  useEffect(() => {
    if (isNear) loadMore();
  }, [isNear, records.length]);
}

/** Stands for the rows that are not in sight. */
function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true">
      <td colSpan={span} className={classes.spacer} style={{ height }} />
    </tr>
  );
}
