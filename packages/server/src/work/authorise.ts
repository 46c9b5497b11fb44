import type { RelayAnswer, RelayRequest } from '@florin/contract/protocol/vault.ts';
import type { Settler } from '../features/payments/settle.ts';
import { submitDue } from '../features/payments/submit.ts';
import type { Services } from '../features/services.ts';
import { startLoop } from './loop.ts';

/** Relay calls that may be under way at once; more due payments wait in the database. */
const RELAYS_MAX = 8;

/** Takes up confirmed payments, sends them through the vault and settles each answer as it arrives. */
export function startAuthoriseLoop(services: Services, settle: Settler): AsyncDisposable {
  const relays = new Set<Promise<void>>();
  const loop = startLoop({
    name: 'authorise',
    logger: services.logger,
    wake: services.wake.authorise,
    poll_ms: services.config.work_poll_ms,
    async step() {
      if (relays.size >= RELAYS_MAX) await Promise.race(relays);
      const requests = await submitDue(services);
      if (requests.length === 0) return false;
      const relay = send(services, settle, requests).finally(() => relays.delete(relay));
      relays.add(relay);
      return true;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await Promise.all(relays);
    },
  };
}

/** An answer that cannot be recorded stays an open attempt; its lease runs out and the resolver asks again. */
async function send(
  services: Services,
  settle: Settler,
  requests: readonly RelayRequest[],
): Promise<void> {
  const byId = new Map(requests.map((request) => [request.id, request]));
  const settling: Promise<void>[] = [];
  const onAnswer = (answer: RelayAnswer): void => {
    const request = byId.get(answer.id);
    const processor = request && services.processorOf(request.mode);
    if (!processor) return;
    const result = processor.authorise.mapAnswer(answer);
    const key = { merchant_id: request.merchant_id, id: answer.id };
    settling.push(
      settle({ key, result }).catch((error: Error) => {
        services.logger.error(
          { attempt: answer.id, err: { message: error.message } },
          'settling failed',
        );
      }),
    );
  };
  await services.relay.relay(requests, onAnswer);
  await Promise.all(settling);
}
