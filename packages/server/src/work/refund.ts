import { sendRefund } from '../features/refunds/send.ts';
import type { RefundSettler } from '../features/refunds/settle.ts';
import { submitDueRefunds } from '../features/refunds/submit.ts';
import type { Services } from '../features/services.ts';
import type { Row } from '../store/row.ts';
import { startLoop } from './loop.ts';
import { createRoom } from './room.ts';

/** Messages that may be under way at once; fewer than there are connections, so that inquiries find some. */
const IN_FLIGHT_MAX = 48;

/** Takes up refunds, sends them and settles each answer as it arrives. */
export function startRefundLoop(services: Services, settle: RefundSettler): AsyncDisposable {
  const room = createRoom(IN_FLIGHT_MAX);
  const underWay = new Set<Promise<void>>();
  const start = (attempt: Row): void => {
    room.take(1);
    const sending = sendOne(services, settle, attempt).finally(() => {
      room.give(1);
      underWay.delete(sending);
    });
    underWay.add(sending);
  };
  const loop = startLoop({
    name: 'refund',
    logger: services.logger,
    wake: services.wake.refund,
    poll_ms: services.config.work_poll_ms,
    async step() {
      await room.free();
      const { messages, taken } = await submitDueRefunds(services, room.left());
      messages.forEach(start);
      return taken > 0;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await Promise.all(underWay);
    },
  };
}

/** Never rejects: what is not settled stays an open attempt, whose lease runs out, and the resolver asks. */
async function sendOne(services: Services, settle: RefundSettler, attempt: Row): Promise<void> {
  try {
    const processor = services.processorOf(attempt.mode as 'live' | 'sandbox');
    if (!processor) return;
    const key = { merchant_id: attempt.merchant_id as string, id: attempt.id as string };
    await settle({ key, result: await sendRefund(processor, attempt) });
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ attempt: attempt.id, err }, 'settling a refund failed');
  }
}
