import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** The approval of a sandbox payment at a processor account, with the processor's reference. */
export async function findApproval(db: Db, payment_demand_id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select processor_account_id, processor_reference from attempts
     where payment_demand_id = $1 and mode = 'sandbox' and operation = 'authorise' and status = 'approved'`,
    [payment_demand_id],
    'find_stand_in_approval',
  );
  return row;
}

/** A dispute of the sandbox, with the processor's reference. */
export async function findSandboxDispute(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select processor_account_id, reference, status from disputes where id = $1 and mode = 'sandbox'`,
    [id],
    'find_sandbox_dispute',
  );
  return row;
}
