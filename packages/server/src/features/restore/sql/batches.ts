import type { Row } from '../../../platform/database/row.ts';

/** Rows that are read at once. */
export const BATCH_MAX = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Batches in order of `at`, an id that no later change moves. `read` returns at most `BATCH_MAX` rows after an id. */
export async function* batchesOf(
  read: (after: string) => Promise<Row[]>,
  at = 'id',
): AsyncGenerator<Row[]> {
  for (let after = FIRST_ID; ; ) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH_MAX) return;
    after = rows.at(-1)?.[at] as string;
  }
}
