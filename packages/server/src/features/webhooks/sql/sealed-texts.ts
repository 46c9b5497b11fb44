import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { sealedColumns } from '../../secrets/sealed-columns.ts';

/**
 * Sealed texts that begin with `prefix`, at most `limit` of each column. Each `stored` text comes with the `merchant_id`,
 * `id` and `place` for which it was sealed.
 */
export const sealedTexts = (db: Db, prefix: string, limit: number): Promise<Row[]> =>
  db.query(
    sealedColumns
      .map(
        ({ table, column, owner }) =>
          `(select ${column} as stored, ${owner} as merchant_id, id, '${column}' as place from ${table}
            where starts_with(${column}, $1) order by id desc limit $2)`,
      )
      .join(' union all '),
    [prefix, limit],
  );
