import { renderTable } from '../table.ts';
import type { Testbed } from '../testbed.ts';

const EXTENSION = 'pg_walinspect';
export const NO_WAL = `This PostgreSQL has no extension ${EXTENSION}, which counts the records of its write-ahead log.`;

/** Records of one kind in the write-ahead log (WAL). */
export interface WalRecords {
  /** Part of PostgreSQL that wrote them, such as `Btree`. */
  readonly kind: string;
  readonly records: number;
  readonly bytes: number;
  /** Bytes of whole pages, which the first change of a page after a checkpoint writes. */
  readonly page_bytes: number;
}

/** Position at which the log ends now. */
export async function readWalEnd(testbed: Testbed): Promise<string> {
  const [row] = await testbed.query<{ end: string }>('select pg_current_wal_flush_lsn() as end');
  return row?.end ?? '';
}

/** Records since a position. Undefined where PostgreSQL has no extension that reads its log. */
export async function readWal(testbed: Testbed, start: string): Promise<WalRecords[] | undefined> {
  const available = await testbed.query('select from pg_available_extensions where name = $1', [
    EXTENSION,
  ]);
  if (available.length === 0) return undefined;
  await testbed.query(`create extension if not exists ${EXTENSION}`);
  return testbed.query<WalRecords & { [column: string]: unknown }>(
    `select "resource_manager/record_type" as kind, count::float8 as records,
       record_size::float8 as bytes, fpi_size::float8 as page_bytes
     from pg_get_wal_stats($1, $2) where count > 0 order by combined_size desc`,
    [start, await readWalEnd(testbed)],
  );
}

/** Table of the records by kind, divided by the number of operations. */
export function renderWal(kinds: readonly WalRecords[], operations: number): string {
  const total: WalRecords = {
    kind: 'all',
    records: sumOf(kinds, 'records'),
    bytes: sumOf(kinds, 'bytes'),
    page_bytes: sumOf(kinds, 'page_bytes'),
  };
  const lines = [...kinds, total].map(({ kind, records, bytes, page_bytes }) => [
    kind,
    ...[records, bytes, page_bytes].map((figure) => (figure / operations).toFixed(1)),
  ]);
  return renderTable(['kind', 'records', 'bytes', 'bytes of whole pages'], lines);
}

const sumOf = (kinds: readonly WalRecords[], part: 'records' | 'bytes' | 'page_bytes'): number =>
  kinds.reduce((sum, kind) => sum + kind[part], 0);
