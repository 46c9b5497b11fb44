import type { RelayAnswer, RelayRequest } from '@florin/contract/protocol/vault.ts';
import type { Settler } from '../features/payments/settle.ts';
import type { Services } from '../features/services.ts';
import { createRoom, type Room } from './room.ts';
import { createShares, type Shares } from './shares.ts';

export interface FlightOptions {
  /** Messages that may be under way at once. */
  readonly max: number;
  /** Of these, those of one merchant. */
  readonly each: number;
  /** Relay calls at once: each holds a connection to the vault, of which card forms need some as well. */
  readonly relays_max: number;
  /** Told of the answer of a merchant that had its whole share. */
  readonly onShareFree?: () => void;
}

/** The messages that are under way, which its loop has stored the attempts of. */
export interface Flight extends AsyncDisposable {
  readonly room: Pick<Room, 'free' | 'left'>;
  /** What each merchant has under way. */
  readonly taken: Shares['taken'];
  /** Whether another relay call may be made. */
  hasRelay(): boolean;
  /** Resolves when one may. */
  ready(): Promise<void>;
  /** Sends messages through the vault, and settles each answer as it arrives. */
  send(requests: readonly RelayRequest[]): void;
}

/** Disposed of when everything that is under way has been answered, or given up. */
export function createFlight(services: Services, settle: Settler, options: FlightOptions): Flight {
  const relays = new Set<Promise<void>>();
  const places = createPlaces(options);
  const hasRelay = (): boolean => relays.size < options.relays_max;
  return {
    room: places.room,
    taken: places.shares.taken,
    hasRelay,
    async ready() {
      if (!hasRelay()) await Promise.race(relays);
    },
    send(requests) {
      if (requests.length === 0) return;
      const relay = relayAll(services, settle, places, requests).finally(() =>
        relays.delete(relay),
      );
      relays.add(relay);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(relays);
    },
  };
}

/** Counts messages among all, and among those of their merchants. */
interface Places {
  readonly room: Room;
  readonly shares: Shares;
  take(requests: Iterable<RelayRequest>): void;
  give(requests: Iterable<RelayRequest>): void;
}

function createPlaces({ max, each, onShareFree }: FlightOptions): Places {
  const room = createRoom(max);
  const shares = createShares(each);
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
        if (shares.give(merchant_id)) onShareFree?.();
      }
    },
  };
}

/** Never rejects: what is not settled stays an open attempt, whose lease runs out, and the resolver asks. */
async function relayAll(
  services: Services,
  settle: Settler,
  places: Places,
  requests: readonly RelayRequest[],
): Promise<void> {
  const open = new Map(requests.map((request) => [request.id, request]));
  const settling: Promise<void>[] = [];
  const onAnswer = (answer: RelayAnswer): void => {
    const request = open.get(answer.id);
    if (!request || !open.delete(answer.id)) return;
    settling.push(
      settleOne(services, settle, request, answer).finally(() => places.give([request])),
    );
  };
  places.take(requests);
  try {
    await services.relay.relay(requests, onAnswer);
  } catch (error) {
    services.logger.error({ err: { message: (error as Error).message } }, 'relaying failed');
  } finally {
    places.give(open.values());
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
