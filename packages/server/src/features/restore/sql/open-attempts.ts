import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Messages without an outcome that Florin finds out itself. */
export const openAttempts = (db: Db): Promise<Row[]> =>
  db.query(
    `select * from attempts where due_at is not null and status in ('sending', 'unknown') order by due_at`,
    [],
  );
