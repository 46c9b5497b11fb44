import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Newest active subscriptions with their secret, at most `limit`. */
export const newestSecrets = (db: Db, limit: number): Promise<Row[]> =>
  db.query(
    `select merchant_id, id, secret_key from webhook_subscriptions
     where status <> 'archived' order by created_at desc limit $1`,
    [limit],
  );
