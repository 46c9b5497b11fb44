import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import type { Row } from '../../../platform/database/row.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { ownProcessor } from '../../attempts/own-processor.ts';
import type { FollowUpKind } from '../kinds.ts';
import { sendFollowUp } from '../send.ts';
import type { FollowUpSettler } from '../settle.ts';
import { submitDueFollowUps } from '../submit.ts';

/** Messages in flight; fewer than connections, so that inquiries get some. */
const IN_FLIGHT_MAX = 48;

/** Messages in flight of one merchant. */
const MERCHANT_IN_FLIGHT_MAX = 36;

/** Claims follow-ups of one kind, sends them and records each outcome as it arrives. */
export function startFollowUpLoop(
  services: Services,
  kind: FollowUpKind,
  settle: FollowUpSettler,
): AsyncDisposable {
  const wake = services.wake[kind.operation];
  const inFlight = createLimiter({
    all: { max: IN_FLIGHT_MAX },
    key: { max: MERCHANT_IN_FLIGHT_MAX },
    onKeyFree: () => wake.raise(),
  });
  const start = (attempt: Row): void =>
    inFlight.start(() => sendOne(services, kind, settle, attempt), attempt.merchant_id as string);
  const loop = startLoop({
    name: kind.operation,
    logger: services.logger,
    pulses: services.pulses,
    wake,
    poll_ms: services.config.work_poll_ms,
    async step() {
      await inFlight.whenFree();
      const limit = inFlight.free();
      const allowance = { limit, each: MERCHANT_IN_FLIGHT_MAX, taken: inFlight.used };
      const { messages, taken } = await submitDueFollowUps(services, kind, allowance);
      messages.forEach(start);
      return taken > 0;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await inFlight.whenIdle();
    },
  };
}

/**
 * Never rejects: an unrecorded outcome leaves an open attempt, whose lease ends, and the resolver
 * inquires.
 */
async function sendOne(
  services: Services,
  kind: FollowUpKind,
  settle: FollowUpSettler,
  attempt: Row,
): Promise<void> {
  try {
    const processor = ownProcessor(services, attempt);
    if (!processor) return;
    const key = { merchant_id: attempt.merchant_id as string, id: attempt.id as string };
    const result = await sendFollowUp(kind, processor, attempt, services.clock);
    await settle({ key, result });
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error(
      { attempt: attempt.id, err },
      `recording the outcome of a ${kind.operation} failed`,
    );
  }
}
