import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/**
 * Sealed texts that begin with `prefix`, at most `limit` of each kind; webhook secrets come newest
 * first. Each `stored` text comes with the `merchant_id`, `id` and `place` for which it was sealed.
 */
export const sealedTexts = (db: Db, prefix: string, limit: number): Promise<Row[]> =>
  db.query(
    `(select secret_key as stored, merchant_id, id, 'secret_key' as place from webhook_subscriptions
       where starts_with(secret_key, $1) order by created_at desc limit $2)
     union all
     (select totp_secret, id, id, 'totp_secret' from accounts where starts_with(totp_secret, $1) limit $2)
     union all
     (select account_number, merchant_id, id, 'account_number' from financial_institutions
       where starts_with(account_number, $1) limit $2)
     union all
     (select content_key, merchant_id, id, 'content_key' from dispute_file_contents
       where starts_with(content_key, $1) limit $2)
     union all
     (select body, id, id, 'body' from account_letters where starts_with(body, $1) limit $2)`,
    [prefix, limit],
  );
