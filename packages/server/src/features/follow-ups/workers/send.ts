import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import type { Row } from '../../../platform/database/row.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { claimDueFollowUps } from '../claim.ts';
import type { FollowUpKind } from '../kinds.ts';
import type { FollowUpOutcomeRecorder } from '../record-outcome.ts';
import { sendAndRecord } from '../send.ts';

/** Messages in flight of one kind. All kinds and inquiries together: fewer than `SERVER_CONNECTIONS.cardless`. */
export const FOLLOW_UPS_IN_FLIGHT_MAX = 384;

/** Maximum number of messages in flight per merchant. */
const MERCHANT_IN_FLIGHT_MAX = 288;

/** Loop that claims follow-ups of one kind, sends them and records each outcome when it arrives. */
export function startFollowUpLoop(
  services: Services,
  kind: FollowUpKind,
  recordOutcome: FollowUpOutcomeRecorder,
): AsyncDisposable {
  const wake = services.wake[kind.operation];
  const inFlight = createLimiter({
    total: { max: FOLLOW_UPS_IN_FLIGHT_MAX },
    per_key: { max: MERCHANT_IN_FLIGHT_MAX },
    onKeyFree: () => wake.raise(),
  });
  const start = (attempt: Row): void => {
    const send = () => sendAndRecord(services, kind, recordOutcome, attempt);
    inFlight.start(send, attempt.merchant_id as string);
  };
  const loop = startLoop(services, {
    name: kind.operation,
    wake,
    poll_ms: services.config.work_poll_ms,
    due: [{ table: kind.table }],
    async step() {
      await inFlight.whenFree();
      const limit = inFlight.free();
      const allowance = { limit, per_merchant: MERCHANT_IN_FLIGHT_MAX, in_flight: inFlight.used };
      const { messages, lockedCount: locked } = await claimDueFollowUps(services, kind, allowance);
      messages.forEach(start);
      return locked > 0;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await inFlight.whenIdle();
    },
  };
}
