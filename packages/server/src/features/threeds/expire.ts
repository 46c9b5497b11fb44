import { instantText, seconds } from '../../kernel/clock.ts';
import { claimDue } from '../../store/claim.ts';
import type { Row } from '../../store/row.ts';
import type { Scope } from '../../store/scope.ts';
import type { Services } from '../services.ts';
import { recordFinding } from './record.ts';

const EXPIRE_BATCH_MAX = 100;
const LEASE_SECONDS = 30;

/** Ends authentications whose time is over: nobody has come back from them. Returns whether there were any. */
export async function expireDue(services: Services): Promise<boolean> {
  const now = services.clock.now();
  const rows = await claimDue(services.db, {
    table: 'authentications',
    now: instantText(now),
    lease_until: instantText(now + seconds(LEASE_SECONDS)),
    limit: EXPIRE_BATCH_MAX,
  });
  await Promise.all(rows.map((row) => expire(services, row)));
  return rows.length > 0;
}

async function expire(services: Services, { merchant_id, mode, id, status }: Row): Promise<void> {
  const key = { merchant_id, mode, id } as Scope & { readonly id: string };
  try {
    await recordFinding(services, key, { of: 'expiry', status: status as string });
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ authentication: id, err }, 'expiring failed');
  }
}
