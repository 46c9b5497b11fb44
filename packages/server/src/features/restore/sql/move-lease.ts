import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { RowKey } from '../../../platform/database/row-key.ts';

/** Moves the end of an attempt's lease. Returns no row if the lease is another one meanwhile. Instants are ISO 8601. */
export const moveLease = (
  db: Db,
  { merchant_id, id }: RowKey,
  from: string,
  until: string,
): Promise<Row[]> =>
  db.query(
    'update attempts set due_at = $4 where merchant_id = $1 and id = $2 and due_at = $3 returning id',
    [merchant_id, id, from, until],
    'move_attempt_lease',
  );
