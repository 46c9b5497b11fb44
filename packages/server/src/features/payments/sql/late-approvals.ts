import type { LateApprovals } from '@florin/contract/late-approvals.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { modeColumns } from '../../../platform/mode-columns.ts';

/** Policy of a merchant and mode for late approvals. */
export async function lateApprovalsOf(
  db: Db,
  { merchant_id, mode }: Scope,
): Promise<LateApprovals> {
  const [row] = await db.query(
    `select ${modeColumns(['late_approvals'], { mode: '$2', alias: 'm' })} from merchants m where m.id = $1`,
    [merchant_id, mode],
    'late_approvals',
  );
  return row?.late_approvals as LateApprovals;
}
