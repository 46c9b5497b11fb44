import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { moveLease } from './sql/move-lease.ts';

interface Deps extends Pick<Services, 'clock'> {
  readonly db: Db;
  readonly config: Pick<Services['config'], 'attempt_lease_ms'>;
}

/**
 * Creates a function that renews the lease of a claimed attempt, whose questions may last longer. The
 * function throws once another process has the attempt.
 */
export function createLeaseRenewal({ db, clock, config }: Deps, attempt: Row): () => Promise<void> {
  let lease_until = attempt.due_at as string;
  return async () => {
    const until = instantText(clock.now() + config.attempt_lease_ms * 1_000);
    if ((await moveLease(db, keyOf(attempt), lease_until, until)).length === 0)
      throw new Error('the lease of the attempt was lost');
    lease_until = until;
  };
}
