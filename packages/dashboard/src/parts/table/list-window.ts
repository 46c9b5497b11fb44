/** The part of a list in memory: rows `offset` to `offset + held` of about `count`. */
export interface ListWindow {
  /** Rows before the window. */
  readonly offset: number;
  /** Rows known so far. */
  readonly count: number;
  /** How far rows moved since their pages were read, because new ones came before the first. */
  readonly shift: number;
}

interface Held {
  /** Position of the first row when its page was read; negative if it came before the first. */
  readonly start: number;
  readonly rows: number;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  /** Position after the last row ever read. */
  readonly furthest: number;
}

/** Computes the window. The first row of the list is always row 0, whatever was added or removed since. */
export function windowOf({ start, rows, hasPrevious, hasNext, furthest }: Held): ListWindow {
  const shift = hasPrevious ? Math.max(0, 0 - start) : 0 - start;
  const end = start + rows;
  const count = hasNext ? Math.max(end, furthest) : end;
  return { offset: start + shift, count: count + shift, shift };
}

export type Wanted = 'next' | 'previous' | 'elsewhere' | undefined;

interface Seen {
  /** Rows in view. */
  readonly first: number;
  readonly last: number;
}

/** The next page is requested this many rows before the end of the window. */
const AHEAD = 15;

/** Returns the page to read for the rows in view; beyond `far` rows it jumps instead of paging. */
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
