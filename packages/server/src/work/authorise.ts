import type { RelayAnswer, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { TAKE_UP_MAX } from '../features/attempts/take-up.ts';
import type { Settler } from '../features/payments/settle.ts';
import { submitDue } from '../features/payments/submit.ts';
import type { Services } from '../features/services.ts';
import { startLoop } from './loop.ts';
import { createRoom, type Room } from './room.ts';
import { createShares, type Shares } from './shares.ts';

/** Messages that may be under way at once, so that slow ones leave room for others; more wait in the database. */
const IN_FLIGHT_MAX = 512;
/** Of these, those of one merchant. */
const MERCHANT_IN_FLIGHT_MAX = 384;
/** Relay calls at once: each holds a connection to the vault, of which card forms need some as well. */
const RELAYS_MAX = 48;

/** Takes up confirmed payments, sends them through the vault and settles each answer as it arrives. */
export function startAuthoriseLoop(services: Services, settle: Settler): AsyncDisposable {
  const flight = createFlight(services);
  const relays = new Set<Promise<void>>();
  const loop = startLoop({
    name: 'authorise',
    logger: services.logger,
    wake: services.wake.authorise,
    poll_ms: services.config.work_poll_ms,
    async step() {
      await flight.room.free();
      if (relays.size >= RELAYS_MAX) await Promise.race(relays);
      const limit = Math.min(flight.room.left(), TAKE_UP_MAX);
      const allowance = { limit, each: MERCHANT_IN_FLIGHT_MAX, taken: flight.shares.taken };
      const { messages: requests, taken } = await submitDue(services, allowance);
      if (requests.length > 0) {
        const relay = send(services, settle, flight, requests).finally(() => relays.delete(relay));
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

/** The messages that are under way. */
interface Flight {
  readonly room: Room;
  readonly shares: Shares;
  take(requests: Iterable<RelayRequest>): void;
  give(requests: Iterable<RelayRequest>): void;
}

function createFlight({ wake }: Services): Flight {
  const room = createRoom(IN_FLIGHT_MAX);
  const shares = createShares(MERCHANT_IN_FLIGHT_MAX);
  return {
    room,
    shares,
    take(requests) {
      for (const { merchant_id } of requests) {
        room.take(1);
        shares.take(merchant_id);
      }
    },
    give(requests) {
      for (const { merchant_id } of requests) {
        room.give(1);
        if (shares.give(merchant_id)) wake.authorise.raise();
      }
    },
  };
}

/** Never rejects: what is not settled stays an open attempt, whose lease runs out, and the resolver asks. */
async function send(
  services: Services,
  settle: Settler,
  flight: Flight,
  requests: readonly RelayRequest[],
): Promise<void> {
  const open = new Map(requests.map((request) => [request.id, request]));
  const settling: Promise<void>[] = [];
  const onAnswer = (answer: RelayAnswer): void => {
    const request = open.get(answer.id);
    if (!request || !open.delete(answer.id)) return;
    settling.push(
      settleOne(services, settle, request, answer).finally(() => flight.give([request])),
    );
  };
  flight.take(requests);
  try {
    await services.relay.relay(requests, onAnswer);
  } catch (error) {
    services.logger.error({ err: { message: (error as Error).message } }, 'relaying failed');
  } finally {
    flight.give(open.values());
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
    const result = services.processorOf(mode)?.authorise.mapAnswer(answer, answer.id);
    if (result) await settle({ key: { merchant_id, id: answer.id }, result });
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ attempt: answer.id, err }, 'settling failed');
  }
}
