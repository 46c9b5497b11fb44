import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import type { Services } from '../../../services.ts';
import { claimEach } from '../../records/claim-each.ts';
import { recordFinding } from './record.ts';

const EXPIRE_BATCH_MAX = 100;
const LEASE_SECONDS = 30;

/** Ends overdue authentications. Returns whether it ended any. */
export async function expireDue(services: Services): Promise<boolean> {
  const claimedCount = await claimEach(services, {
    table: 'authentications',
    limit: EXPIRE_BATCH_MAX,
    lease_s: LEASE_SECONDS,
    failed: 'expiry of an authentication failed',
    work: (row) => expireAuthentication(services, row),
  });
  return claimedCount > 0;
}

async function expireAuthentication(
  services: Services,
  { merchant_id, mode, id, status }: Row,
): Promise<void> {
  const key = { merchant_id, mode, id } as Scope & { readonly id: string };
  await recordFinding(services, key, { kind: 'expiry', status: status as string });
}
