import { setTimeout as sleep } from 'node:timers/promises';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { openWork } from '../clocks/sql/open-work.ts';
import { hasDisputeNews } from '../disputes/news.ts';

/** Longest that one request may wait. */
export const DRAIN_SECONDS_MAX = 30;
/** Requests that may wait at once; more are turned away. */
const DRAINS_MAX = 16;
/** How often it is looked whether the work is done. */
const LOOK_MS = 50;

/** What is still open of each type that has open records. */
type StillOpen = Readonly<Record<string, number>>;

interface Asked {
  readonly scope: Scope;
  readonly wait_ms: number;
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean;
}

/**
 * Waits until the work loops have done what is due for a merchant and mode, or until the time is over; gives what is
 * open then. What becomes due by its own time, such as the next try of a delivery, is not waited for.
 */
export function createDrain(services: Services): (asked: Asked) => Promise<StillOpen> {
  const drains = createLimiter({ all: { max: DRAINS_MAX } });
  return (asked) => drains.run(() => drain(services, asked));
}

async function drain(services: Services, { scope, wait_ms, isGone }: Asked): Promise<StillOpen> {
  const { config } = services;
  const { wake } = services.worlds.of(scope);
  const end = config.monotonic_ms() + wait_ms;
  for (const signal of Object.values(wake)) signal.raise();
  for (;;) {
    const open = await lookAround(services, scope);
    const left = end - config.monotonic_ms();
    if (isNothing(open) || left <= 0 || isGone()) return open;
    if (open.disputes) services.wake.dispute.raise();
    if (open.balances) services.wake.balance.raise();
    if (open.letters) wake.letters.raise();
    await sleep(Math.min(LOOK_MS, left));
  }
}

/** Once all that was sent has its answer the network knows of every dispute; what was read of it meanwhile is work again. */
async function lookAround(services: Services, scope: Scope): Promise<StillOpen> {
  const open = await openNow(services, scope);
  if (!isNothing(open)) return open;
  if (await hasDisputeNews(services, scope.mode)) return { disputes: 1 };
  return openNow(services, scope);
}

async function openNow({ db, worlds, machine }: Services, scope: Scope): Promise<StillOpen> {
  const [now, outside] = [worlds.of(scope).clock, machine].map((clock) => instantText(clock.now()));
  const work = await openWork(db, scope, now as string, outside as string);
  return Object.fromEntries(Object.entries(work).filter(([, count]) => count > 0));
}

const isNothing = (open: StillOpen): boolean => Object.keys(open).length === 0;
