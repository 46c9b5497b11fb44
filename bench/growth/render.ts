import { grouped } from '../progress.ts';
import type { Row } from '../row.ts';
import { median, renderTable, roundText } from '../table.ts';
import type { ListTiming } from './slowest-lists.ts';

/** Figures of the rows at one number of payments. */
export interface SizeResult {
  /** Payments before the first row. */
  readonly payments: number;
  /** Payments after the last row, which include those that the rows created. */
  readonly payments_at_end: number;
  /** Size of the database before the first row. */
  readonly database_bytes: number;
  readonly figures: ReadonlyMap<string, readonly number[]>;
  /** Each filter and each sort of payments, sent once. */
  readonly lists: readonly ListTiming[];
}

/** Table with a column per size, and how much more one request costs at the largest size than at the smallest. */
export function renderGrowth(rows: readonly Row[], sizes: readonly SizeResult[]): string {
  const headers = [
    'row',
    'unit',
    ...sizes.map(({ payments }) => grouped(payments)),
    'cost, largest / smallest',
  ];
  return renderTable(
    headers,
    rows.map((row) => lineOf(row, sizes)),
  );
}

function lineOf({ name, unit }: Row, sizes: readonly SizeResult[]): string[] {
  const medians = sizes.map(({ figures }) => median(figures.get(name) ?? []));
  const [smallest = Number.NaN, largest = Number.NaN] = [medians[0], medians.at(-1)];
  const ratio = isRate(unit) ? smallest / largest : largest / smallest;
  const ratioText = sizes.length > 1 && Number.isFinite(ratio) ? ratio.toFixed(2) : '';
  return [name, unit, ...medians.map(roundText), ratioText];
}

/** Whether more is better. */
const isRate = (unit: string): boolean => unit.endsWith('/s');

const BYTES_PER_GB = 1_000_000_000;

/** A sentence per size: how large the database was, and how many payments there were at the end. */
export const renderSizes = (sizes: readonly SizeResult[]): string =>
  sizes
    .map(
      ({ payments, payments_at_end, database_bytes }) =>
        `${grouped(payments)} payments: database of ${(database_bytes / BYTES_PER_GB).toFixed(1)} GB, ${grouped(payments_at_end)} payments after the rows`,
    )
    .join('\n');
