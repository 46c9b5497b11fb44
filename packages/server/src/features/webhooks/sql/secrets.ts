import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Subscriptions whose secret does not begin with `prefix`, at most `limit`. */
export const secretsWithout = (db: Db, prefix: string, limit: number): Promise<Row[]> =>
  db.query(
    `select merchant_id, id, secret_key from webhook_subscriptions
     where not starts_with(secret_key, $1) limit $2`,
    [prefix, limit],
  );

/** Newest active subscriptions with their secret, at most `limit`. */
export const newestSecrets = (db: Db, limit: number): Promise<Row[]> =>
  db.query(
    `select merchant_id, id, secret_key from webhook_subscriptions
     where status <> 'archived' order by created_at desc limit $1`,
    [limit],
  );

/** Secret of a subscription, sealed. */
export interface SealedSecret {
  readonly row: Row;
  readonly secret_key: string;
}

/** Stores sealed secrets, except those that changed since they were read. */
export const storeSealedSecrets = (db: Db, secrets: readonly SealedSecret[]): Promise<Row[]> =>
  db.query(
    `update webhook_subscriptions s set secret_key = n.secret_key
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as n (merchant_id, id, before, secret_key)
     where s.merchant_id = n.merchant_id and s.id = n.id and s.secret_key = n.before`,
    [
      secrets.map(({ row }) => row.merchant_id),
      secrets.map(({ row }) => row.id),
      secrets.map(({ row }) => row.secret_key),
      secrets.map(({ secret_key }) => secret_key),
    ],
  );
