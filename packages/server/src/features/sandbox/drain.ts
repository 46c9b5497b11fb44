import { setTimeout as sleep } from 'node:timers/promises';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { openWork } from '../clocks/sql/open-work.ts';
import { hasDisputeNotifications } from '../disputes/notifications.ts';

/** Longest wait of one request in seconds. */
export const DRAIN_SECONDS_MAX = 30;
/** Limit of concurrent waiting requests; further requests are refused. */
const DRAINS_MAX = 16;
/** Poll interval in milliseconds. */
const POLL_MS = 50;

/** Number of open records by type. */
type OpenWorkCounts = Readonly<Record<string, number>>;

interface DrainRequest {
  readonly scope: Scope;
  readonly wait_ms: number;
  /** Whether the caller has disconnected. */
  readonly isDisconnected: () => boolean;
}

/**
 * Waits until the workers have done the due work of a merchant and mode, or until the timeout. Returns the number of
 * records that are still open. Ignores work that is due later, such as a delivery's retry.
 */
export function createDrain(
  services: Services,
): (request: DrainRequest) => Promise<OpenWorkCounts> {
  const drains = createLimiter({ total: { max: DRAINS_MAX } });
  return (request) => drains.run(() => drain(services, request), request.scope.merchant_id);
}

async function drain(
  services: Services,
  { scope, wait_ms, isDisconnected }: DrainRequest,
): Promise<OpenWorkCounts> {
  const { config } = services;
  const { wake } = services.timelines.of(scope);
  const end = config.monotonic_ms() + wait_ms;
  for (const signal of Object.values(wake)) signal.raise();
  for (;;) {
    const openWork = await countOpenWork(services, scope);
    const remaining_ms = end - config.monotonic_ms();
    if (isEmpty(openWork) || remaining_ms <= 0 || isDisconnected()) return openWork;
    if (openWork.disputes) services.wake.dispute.raise();
    if (openWork.balances) services.wake.balance.raise();
    if (openWork.letters) wake.emails.raise();
    if (openWork.payment_subscriptions) wake.bill.raise();
    await sleep(Math.min(POLL_MS, remaining_ms));
  }
}

/**
 * Open work, including unread dispute notifications. Once all messages have responses, the network
 * knows every dispute; reading the notifications creates new work.
 */
async function countOpenWork(services: Services, scope: Scope): Promise<OpenWorkCounts> {
  const openCounts = await openNow(services, scope);
  if (!isEmpty(openCounts)) return openCounts;
  if (await hasDisputeNotifications(services, scope.mode)) return { disputes: 1 };
  return openNow(services, scope);
}

async function openNow(
  { db, timelines, system_clock }: Services,
  scope: Scope,
): Promise<OpenWorkCounts> {
  const [now, outside] = [timelines.of(scope).clock, system_clock].map((clock) =>
    instantText(clock.now()),
  );
  const work = await openWork(db, scope, now as string, outside as string);
  return Object.fromEntries(Object.entries(work).filter(([, count]) => count > 0));
}

const isEmpty = (openCounts: OpenWorkCounts): boolean => Object.keys(openCounts).length === 0;
