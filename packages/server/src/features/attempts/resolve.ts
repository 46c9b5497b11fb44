import type { Row } from '../../platform/database/row.ts';
import { instantText } from '../../platform/time/clock.ts';
import { type Allowance, claimShared } from '../../platform/workers/claim.ts';
import type { Services } from '../../services.ts';
import type { LogOldAttempt } from './age-alarm.ts';
import type { Purpose } from './new-attempt.ts';

export interface ResolverContext extends Pick<Services, 'db' | 'clock' | 'logger' | 'within'> {
  readonly config: Pick<Services['config'], 'attempt_lease_ms' | 'work_poll_ms'>;
}

/**
 * Inquires about an attempt and records its outcome once. Must finish within the lease of the
 * claim.
 */
export type Resolver = (attempt: Row) => Promise<void>;

/** Resolver of each operation. */
export type Resolvers = Readonly<Record<Purpose['operation'], Resolver>>;

/**
 * Claims attempts without an outcome: after a lost response, with an unacknowledged
 * reversal, or with an expired lease, since their process died. Merchants get equal shares. Logs old attempts.
 */
export async function claimOpenAttempts(
  services: ResolverContext,
  logOldAttempt: LogOldAttempt,
  allowance: Allowance,
): Promise<Row[]> {
  const now = services.clock.now();
  const attempts = await claimShared(services.db, {
    ...allowance,
    table: 'attempts',
    now: instantText(now),
    lease_until: instantText(now + services.config.attempt_lease_ms * 1000),
    within: await services.within?.(),
  });
  for (const attempt of attempts) logOldAttempt(attempt, now);
  return attempts;
}

/**
 * Resolves a claimed attempt. Never rejects: after an error, the attempt is due again at the end of
 * its lease.
 */
export async function resolveAttempt(
  { logger }: Pick<Services, 'logger'>,
  resolvers: Resolvers,
  attempt: Row,
): Promise<void> {
  try {
    await resolvers[attempt.operation as keyof Resolvers](attempt);
  } catch (error) {
    const err = { message: (error as Error).message };
    logger.error({ attempt: attempt.id, err }, 'attempt not resolved: retried after its lease');
  }
}
