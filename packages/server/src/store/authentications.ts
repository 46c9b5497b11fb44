import type { Db } from './db.ts';
import type { Row } from './row.ts';
import type { Scope } from './scope.ts';

/** Locks what is open for a payment: at most one, which the bank has been asked about. */
export const lockOpenAuthentications = (tx: Db, scope: Scope, payment_id: string): Promise<Row[]> =>
  tx.query(
    `select * from authentications where merchant_id = $1 and mode = $2 and payment_id = $3
       and status in ('asking', 'challenged') for update`,
    [scope.merchant_id, scope.mode, payment_id],
    'lock_open_authentications',
  );

/** The authentication that was last asked about for a payment. */
export async function newestAuthentication(
  db: Db,
  scope: Scope,
  payment_id: string,
): Promise<Row | undefined> {
  const [row] = await db.query(
    `select * from authentications where merchant_id = $1 and mode = $2 and payment_id = $3
       and asked_at is not null order by asked_at desc limit 1`,
    [scope.merchant_id, scope.mode, payment_id],
    'newest_authentication',
  );
  return row;
}
