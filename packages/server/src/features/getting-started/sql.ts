import type { StartStep } from '@florin/contract/getting-started.ts';
import type { Db } from '../../platform/database/db.ts';
import { isTrue } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';

/** States of payments that an issuer has approved. */
const PAID = `'{succeeded,authorised,disputed,reversed}'`;

/** Steps that rows of the database show. */
export type StoredStep = Exclude<StartStep, 'processor'>;

/** Finds out which steps a merchant has taken in a mode. Each check ends at the first row. */
export async function findTakenSteps(
  db: Db,
  { merchant_id, mode }: Scope,
  at: string,
): Promise<Readonly<Record<StoredStep, boolean>>> {
  const [row] = await db.query(
    `select
       exists (select from payment_demands
         where merchant_id = $1 and mode = $2 and status = any(${PAID})) as payment,
       exists (select from merchant_tokens
         where merchant_id = $1 and mode = $2 and (expiry is null or expiry > $3)) as key,
       exists (select from webhook_subscriptions
         where merchant_id = $1 and mode = $2 and status <> 'archived') as webhook,
       exists (select from memberships
         where merchant_id = $1 and not opener and removed_at is null) as team,
       m.brand_name is not null and m.brand_color is not null
         and coalesce(m.logo_url, m.document_logo_id::text) is not null as brand,
       coalesce(m.submitted_at, m.active_at) is not null as application
     from merchants m where m.id = $1`,
    [merchant_id, mode, at],
    'find_taken_steps',
  );
  const isTaken = (step: StoredStep): boolean => isTrue(row?.[step]);
  return {
    payment: isTaken('payment'),
    key: isTaken('key'),
    webhook: isTaken('webhook'),
    brand: isTaken('brand'),
    team: isTaken('team'),
    application: isTaken('application'),
  };
}
