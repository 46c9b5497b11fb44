import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { type Clock, instantText, seconds } from '../../platform/time/clock.ts';
import { claimMove, endLease, type MoveLease, type NewMove, renewLease } from './sql/directory.ts';

/** Lease of a command, and how often it extends it. */
const LEASE_SECONDS = 60;
const RENEW_MS = 10_000;

export interface LeaseDeps {
  readonly global: Db;
  readonly clock: Clock;
}

/** The lease of this command from now on. */
export type HeldLease = () => MoveLease;

/**
 * Runs `work` with the lease of a move, and extends the lease meanwhile. Begins the move if there is none. Throws an
 * `Error` for people while another command has the lease.
 */
export async function withLease(
  { global, clock }: LeaseDeps,
  move: Omit<NewMove, keyof MoveLease> & Pick<MoveLease, 'merchant_id'>,
  work: (row: Row, lease: HeldLease) => Promise<void>,
): Promise<void> {
  const lease_id = uuidv7(clock.now());
  const { merchant_id } = move;
  const lease: HeldLease = () => {
    const now = clock.now();
    const until = instantText(now + seconds(LEASE_SECONDS));
    return { merchant_id, lease_id, now: instantText(now), until };
  };
  const row = await claimMove(global, { ...move, ...lease() });
  if (!row)
    throw new Error(
      `another command moves the merchant: wait, or try again in ${LEASE_SECONDS} seconds`,
    );
  const timer = setInterval(() => void renewLease(global, lease()).catch(() => {}), RENEW_MS);
  try {
    await work(row, lease);
  } finally {
    clearInterval(timer);
    await endLease(global, lease()).catch(() => {});
  }
}
