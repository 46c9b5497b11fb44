import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';

/**
 * Id of the active subscription that sends the same set of events to the same address, in any
 * spelling.
 */
export async function subscriptionTo(
  db: Db,
  { merchant_id, mode }: Scope,
  { url, events }: Row,
): Promise<string | undefined> {
  const [row] = await db.query(
    `select id from webhook_subscriptions
     where merchant_id = $1 and mode = $2 and status <> 'archived'
       and webhook_address(url) = webhook_address($3)
       and md5(webhook_address(url) || ' ' || text_set(events))
         = md5(webhook_address($3) || ' ' || text_set($4::jsonb))`,
    [merchant_id, mode, url, events],
    'subscription_to',
  );
  return row?.id ?? undefined;
}
