/** The part of a list in memory: rows `offset` to `offset + held` of about `count`. */
export interface ListWindow {
  /** Number of rows before the window. */
  readonly offset: number;
  /** Number of rows known up to now. */
  readonly count: number;
  /** Number of new rows before the first row since the pages were read. */
  readonly shift: number;
}

interface LoadedRows {
  /** Position of the first row when its page was read. Negative for rows added before the first. */
  readonly start: number;
  readonly rows: number;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  /** Position after the last row that was ever read. */
  readonly lastPosition: number;
}

/** Calculates the window. The first row of the list is always row 0, even after rows were added or removed. */
export function windowOf({
  start,
  rows,
  hasPrevious,
  hasNext,
  lastPosition,
}: LoadedRows): ListWindow {
  const shift = hasPrevious ? Math.max(0, 0 - start) : 0 - start;
  const end = start + rows;
  const count = hasNext ? Math.max(end, lastPosition) : end;
  return { offset: start + shift, count: count + shift, shift };
}

export type WantedPage = 'next' | 'previous' | 'elsewhere' | undefined;

interface VisibleRows {
  /** First and last row in view. */
  readonly first: number;
  readonly last: number;
}

/** Rows before the end of the window at which the next page is requested. */
const PREFETCH_ROWS = 15;

/**
 * Returns the page to read for the rows in view. Beyond `far` rows the list jumps to a position instead of paging.
 */
export function wantedFor(
  { first, last }: VisibleRows,
  {
    offset,
    rows,
    hasPrevious,
    hasNext,
    far,
  }: Pick<LoadedRows, 'rows' | 'hasPrevious' | 'hasNext'> & {
    readonly offset: number;
    readonly far: number;
  },
): WantedPage {
  const end = offset + rows;
  if ((hasNext && first > end + far) || (hasPrevious && last < offset - far)) return 'elsewhere';
  if (hasNext && last >= end - PREFETCH_ROWS) return 'next';
  if (hasPrevious && first < offset + PREFETCH_ROWS) return 'previous';
  return undefined;
}
