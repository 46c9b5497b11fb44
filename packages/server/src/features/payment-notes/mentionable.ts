import { permissionSlug } from '@florin/contract/permissions.ts';
import { paymentDemands } from '@florin/contract/resources/payment-demands.ts';
import { hasPermission } from '../../jsonapi/permissions.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { grantedPermissions } from '../people/sql/members.ts';
import type { Mentionable } from './decide-mentions.ts';
import { listColleagues } from './sql.ts';

/** Listed members. A merchant has at most as many memberships. */
const MEMBERS_MAX = 500;
const READ = permissionSlug(paymentDemands, 'read');

/** Members who may read the note's payment, by name. */
export async function findMentionable(
  db: Db,
  { merchant_id, mode }: Scope,
): Promise<readonly Mentionable[]> {
  const rows = await listColleagues(db, merchant_id, MEMBERS_MAX);
  return rows
    .filter((row) => hasPermission({ permissions: grantedPermissions(row, mode) }, READ))
    .map(({ membership_id, account_id, email, label }) => ({
      membership_id: membership_id as string,
      account_id: account_id as string,
      email: email as string,
      label: label as string,
    }));
}
