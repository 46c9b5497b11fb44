import type { Row } from '../../platform/database/row.ts';
import { instantText } from '../../platform/time/clock.ts';
import { claimDue } from '../../platform/workers/claim.ts';
import type { Services } from '../../services.ts';
import type { AgeAlarm } from './age-alarm.ts';
import type { Purpose } from './new-attempt.ts';

export interface Inquiring extends Pick<Services, 'db' | 'clock' | 'logger' | 'within'> {
  readonly config: Pick<Services['config'], 'attempt_lease_ms' | 'work_poll_ms'>;
}

/**
 * Inquires about an attempt, and records its outcome once. The lease of the claim lasts until then.
 */
export type Resolver = (attempt: Row) => Promise<void>;

/** Resolvers by operation. */
export type Resolvers = Readonly<Record<Purpose['operation'], Resolver>>;

/**
 * Claims at most `limit` attempts without an outcome: with an expired lease (their process died), a
 * lost response, or an unconfirmed reversal. Old ones raise the alarm.
 */
export async function claimOpen(
  services: Inquiring,
  alarm: AgeAlarm,
  limit: number,
): Promise<Row[]> {
  const now = services.clock.now();
  const attempts = await claimDue(services.db, {
    table: 'attempts',
    now: instantText(now),
    lease_until: instantText(now + services.config.attempt_lease_ms * 1000),
    limit,
    within: await services.within?.(),
  });
  for (const attempt of attempts) alarm(attempt, now);
  return attempts;
}

/** Resolves a claimed attempt. Never rejects: the claim's lease ends, and the attempt is due again. */
export async function resolveAttempt(
  { logger }: Pick<Services, 'logger'>,
  resolvers: Resolvers,
  attempt: Row,
): Promise<void> {
  try {
    await resolvers[attempt.operation as keyof Resolvers](attempt);
  } catch (error) {
    const err = { message: (error as Error).message };
    logger.error({ attempt: attempt.id, err }, 'resolving an attempt failed');
  }
}
