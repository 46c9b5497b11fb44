import type { LateApprovals } from '@florin/contract/late-approvals.ts';
import type { Db } from '../../../platform/database/db.ts';

/** Policy of a merchant for late approvals. */
export async function lateApprovalsOf(db: Db, merchant_id: string): Promise<LateApprovals> {
  const [row] = await db.query(
    'select late_approvals from merchants where id = $1',
    [merchant_id],
    'late_approvals',
  );
  return row?.late_approvals as LateApprovals;
}
