/** What of a list is held: rows `offset` to `offset + held` of about `count`. */
export interface ListWindow {
  /** Rows before the held ones. */
  readonly offset: number;
  /** Rows of the list as far as anybody has seen it. */
  readonly count: number;
  /** By how much places in this window are higher than those that pages were read at: rows have come before the first. */
  readonly shift: number;
}

interface Held {
  /** Place of the first held row, as its page was read; below 0 where rows have come before the first. */
  readonly start: number;
  readonly rows: number;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  /** The place after the last row that was ever read. */
  readonly furthest: number;
}

/** Where the held rows are: the first of a list is always row 0, whatever has come or gone since its pages were read. */
export function windowOf({ start, rows, hasPrevious, hasNext, furthest }: Held): ListWindow {
  const shift = hasPrevious ? Math.max(0, 0 - start) : 0 - start;
  const end = start + rows;
  const count = hasNext ? Math.max(end, furthest) : end;
  return { offset: start + shift, count: count + shift, shift };
}

export type Wanted = 'next' | 'previous' | 'elsewhere' | undefined;

interface Seen {
  /** Places of the rows in sight. */
  readonly first: number;
  readonly last: number;
}

/** So many rows before the end of what is held the next page is asked for. */
const AHEAD = 15;

/** Which page is to be read for the rows in sight; `far` rows away it is not reached page by page. */
export function wantedFor(
  { first, last }: Seen,
  {
    offset,
    rows,
    hasPrevious,
    hasNext,
    far,
  }: Pick<Held, 'rows' | 'hasPrevious' | 'hasNext'> & {
    readonly offset: number;
    readonly far: number;
  },
): Wanted {
  const end = offset + rows;
  if ((hasNext && first > end + far) || (hasPrevious && last < offset - far)) return 'elsewhere';
  if (hasNext && last >= end - AHEAD) return 'next';
  if (hasPrevious && first < offset + AHEAD) return 'previous';
  return undefined;
}
