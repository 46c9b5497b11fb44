import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/**
 * Another authorisation of the account with this reference of its processor; undefined without one, or for the simulated
 * network. Two people who give one reference at once wait for each other until `tx` ends.
 */
export async function findReferenceOwner(
  tx: Db,
  { processor_account_id, id }: Row,
  reference: string,
): Promise<string | undefined> {
  if (!processor_account_id) return undefined;
  await tx.query(
    'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    [`reference ${processor_account_id} ${reference}`],
    'lock_reference',
  );
  const [row] = await tx.query(
    `select payment_demand_id from attempts
     where processor_account_id = $1 and processor_reference = $2 and operation = 'authorise'
       and id <> $3 limit 1`,
    [processor_account_id, reference, id as string],
    'reference_owner',
  );
  return row?.payment_demand_id ?? undefined;
}
