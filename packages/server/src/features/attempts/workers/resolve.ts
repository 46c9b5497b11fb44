import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { createAgeAlarm } from '../age-alarm.ts';
import {
  claimOpenAttempts,
  type ResolverContext,
  type Resolvers,
  resolveAttempt,
} from '../resolve.ts';

/** Maximum number of concurrent inquiries. Each has a connection to the vault, beside those of follow-ups. */
export const INQUIRIES_IN_FLIGHT_MAX = 192;
/** Inquiries of one merchant after which it waits, so that a processor that hangs leaves slots to others. */
const MERCHANT_IN_FLIGHT_MAX = 144;

/** Loop that resolves attempts without an outcome. Slow inquiries do not delay others. */
export function startResolveLoop(
  services: ResolverContext &
    Pick<Services, 'loop_statuses' | 'due_watch'> & {
      readonly wake: Pick<Services['wake'], 'resolve'>;
    },
  resolvers: Resolvers,
): AsyncDisposable {
  const logOldAttempt = createAgeAlarm(services.logger);
  const inquiryLimiter = createLimiter({
    total: { max: INQUIRIES_IN_FLIGHT_MAX },
    per_key: { max: MERCHANT_IN_FLIGHT_MAX },
    onKeyFree: () => services.wake.resolve.raise(),
  });
  const loop = startLoop(services, {
    name: 'resolve',
    wake: services.wake.resolve,
    poll_ms: services.config.work_poll_ms,
    due: [{ table: 'attempts' }],
    async step() {
      await inquiryLimiter.whenFree();
      const attempts = await claimOpenAttempts(services, logOldAttempt, {
        limit: inquiryLimiter.free(),
        per_merchant: MERCHANT_IN_FLIGHT_MAX,
        in_flight: inquiryLimiter.used,
      });
      for (const attempt of attempts) {
        const inquire = () => resolveAttempt(services, resolvers, attempt);
        inquiryLimiter.start(inquire, attempt.merchant_id as string);
      }
      return attempts.length > 0;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await inquiryLimiter.whenIdle();
    },
  };
}
