import type { RelayAnswer, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { TAKE_UP_MAX } from '../features/attempts/take-up.ts';
import type { Settler } from '../features/payments/settle.ts';
import { submitDue } from '../features/payments/submit.ts';
import type { Services } from '../features/services.ts';
import { startLoop } from './loop.ts';
import { createRoom, type Room } from './room.ts';

/** Messages that may be under way at once, so that slow ones leave room for others; more wait in the database. */
const IN_FLIGHT_MAX = 512;
/** Relay calls at once: each holds a connection to the vault, of which card forms need some as well. */
const RELAYS_MAX = 48;

/** Takes up confirmed payments, sends them through the vault and settles each answer as it arrives. */
export function startAuthoriseLoop(services: Services, settle: Settler): AsyncDisposable {
  const messages = createRoom(IN_FLIGHT_MAX);
  const relays = new Set<Promise<void>>();
  const loop = startLoop({
    name: 'authorise',
    logger: services.logger,
    wake: services.wake.authorise,
    poll_ms: services.config.work_poll_ms,
    async step() {
      await messages.free();
      if (relays.size >= RELAYS_MAX) await Promise.race(relays);
      const limit = Math.min(messages.left(), TAKE_UP_MAX);
      const { messages: requests, taken } = await submitDue(services, limit);
      if (requests.length > 0) {
        const relay = send(services, settle, messages, requests).finally(() =>
          relays.delete(relay),
        );
        relays.add(relay);
      }
      return taken > 0;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await Promise.all(relays);
    },
  };
}

/** Never rejects: what is not settled stays an open attempt, whose lease runs out, and the resolver asks. */
async function send(
  services: Services,
  settle: Settler,
  messages: Room,
  requests: readonly RelayRequest[],
): Promise<void> {
  const open = new Map(requests.map((request) => [request.id, request]));
  const settling: Promise<void>[] = [];
  const onAnswer = (answer: RelayAnswer): void => {
    const request = open.get(answer.id);
    if (!request || !open.delete(answer.id)) return;
    settling.push(settleOne(services, settle, request, answer).finally(() => messages.give(1)));
  };
  messages.take(requests.length);
  try {
    await services.relay.relay(requests, onAnswer);
  } catch (error) {
    services.logger.error({ err: { message: (error as Error).message } }, 'relaying failed');
  } finally {
    messages.give(open.size);
  }
  await Promise.all(settling);
}

async function settleOne(
  services: Services,
  settle: Settler,
  { merchant_id, mode }: RelayRequest,
  answer: RelayAnswer,
): Promise<void> {
  try {
    const result = services.processorOf(mode)?.authorise.mapAnswer(answer);
    if (result) await settle({ key: { merchant_id, id: answer.id }, result });
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ attempt: answer.id, err }, 'settling failed');
  }
}
