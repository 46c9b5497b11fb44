import { VisuallyHidden } from '@mantine/core';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { RecordOf, Resource, ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { type Column, relatedOf } from './column.ts';
import { HeaderCells } from './header-cells.tsx';
import type { RowName } from './row/row-name.ts';
import { TableRow } from './row/table-row.tsx';
import { useRowKeys } from './row-keys.ts';
import { SelectAllCell } from './select-cells.tsx';
import type { Selection } from './selection.ts';
import classes from './table.module.css';
import type { ListRows } from './use-list-window.ts';

const ROW_PX = 44;
const OVERSCAN = 8;
/** Rows that a table shows at least, however much stands above it. */
const SHOWN_ROWS_MIN = 5;

interface Props<T extends ResourceType> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: ListRows<T>;
  /** Sort parameter of the interface: `-created_at`, or empty. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly to: (id: string) => string;
  /** Names of the rows; absent: the first cell names its row. */
  readonly rowName?: RowName<T> | undefined;
  /** Chosen rows; absent: rows cannot be chosen. */
  readonly selection?: Selection | undefined;
  /** Shows all rows instead of scrolling, for a few rows within another page. */
  readonly isPlain?: boolean;
  /** Whether the rows are those of an earlier search, which nobody can choose or open. */
  readonly isStale?: boolean;
}

/** A table that renders only the rows in view and stores only the pages around them. */
export function VirtualTable<T extends ResourceType>(props: Props<T>) {
  const { label, columns, rows, sort, onSort, selection, isPlain = false, isStale = false } = props;
  const t = useTexts('records');
  const hint = useId();
  const region = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const virtual = useRows(region, rows, active);
  const keys = useRowKeys({
    region,
    count: rows.count,
    active,
    show: (index) => virtual.scrollToIndex(index),
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handled keys belong to the links inside.
    <div
      ref={region}
      className={classes.region}
      data-fills={!isPlain}
      data-stale={isStale || undefined}
      inert={isStale}
      style={{ minHeight: (Math.min(rows.count, SHOWN_ROWS_MIN) + 1) * ROW_PX }}
      tabIndex={-1}
      onKeyDown={keys}
    >
      <VisuallyHidden id={hint}>{t('table_keys')}</VisuallyHidden>
      <table
        className={classes.table}
        aria-label={label}
        aria-describedby={hint}
        aria-rowcount={rows.hasMore ? -1 : rows.count + 1}
        aria-busy={rows.isReading}
      >
        <thead>
          <tr aria-rowindex={1}>
            {selection && (
              <SelectAllCell selection={selection} ids={rows.records.map(({ id }) => id)} />
            )}
            <HeaderCells columns={columns} sort={sort} onSort={onSort} />
          </tr>
        </thead>
        <Body {...props} virtual={virtual} active={active} onFocus={setActive} />
      </table>
      {rows.isAdding && <p className={classes.more}>{t('loading_more')}</p>}
    </div>
  );
}

type VirtualRows = ReturnType<typeof useRows>;

interface BodyProps<T extends ResourceType> extends Props<T> {
  readonly virtual: VirtualRows;
  readonly active: number;
  readonly onFocus: (index: number) => void;
}

/** Rendered rows, with spacers for the rows between them. */
function Body<T extends ResourceType>(props: BodyProps<T>) {
  const { columns, rows, to, virtual, active, onFocus, selection, rowName } = props;
  const span = columns.length + (selection ? 1 : 0);
  const { offset, records, included } = rows;
  const items = virtual.getVirtualItems().filter(({ index }) => records[index - offset]);
  const tabStop = items.some(({ index }) => index === active) ? active : items[0]?.index;
  return (
    <tbody>
      {items.map(({ index, start }, at) => {
        const record = records[index - offset] as RecordOf<T>;
        return (
          <Fragment key={record.id}>
            <Spacer height={start - (items[at - 1]?.end ?? 0)} span={span} />
            <TableRow
              index={index}
              columns={columns}
              record={record}
              related={relatedOf(record as Resource, included)}
              to={to(record.id)}
              rowName={rowName}
              selection={selection}
              isStop={index === tabStop}
              onFocus={onFocus}
            />
          </Fragment>
        );
      })}
      <Spacer height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} span={span} />
    </tbody>
  );
}

/** Returns the rows in view, and the focused row at any distance. */
function useRows<T extends ResourceType>(
  region: RefObject<HTMLElement | null>,
  rows: ListRows<T>,
  active: number,
) {
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    count: rows.count,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    rangeExtractor: (range) =>
      region.current?.contains(document.activeElement)
        ? withRow(range, active)
        : defaultRangeExtractor(range),
  });
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  const { see, shift, isReading, offset, count } = rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `see` changes with every render.
  useEffect(() => see(startIndex, endIndex), [startIndex, endIndex, isReading, offset, count]);
  useStableScroll(region, shift);
  return virtual;
}

function withRow(range: Range, index: number): number[] {
  const shownIndexes = defaultRangeExtractor(range);
  const isMissing = index < range.count && !shownIndexes.includes(index);
  return isMissing ? [...shownIndexes, index].toSorted((a, b) => a - b) : shownIndexes;
}

/** Adjusts the scroll position when new rows appear before the first row, so that the rows in view do not move. */
function useStableScroll(region: RefObject<HTMLElement | null>, shift: number): void {
  const previousShift = useRef(shift);
  useLayoutEffect(() => {
    if (region.current) region.current.scrollTop += (shift - previousShift.current) * ROW_PX;
    previousShift.current = shift;
  }, [region, shift]);
}

/** Takes the space of rows that are not rendered. */
function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the element holds nothing focusable.
    <tr aria-hidden="true">
      <td colSpan={span} className={classes.spacer} style={{ height }} />
    </tr>
  );
}
