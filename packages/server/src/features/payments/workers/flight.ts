import type { RelayAnswer } from '@florin/contract/protocol/vault.ts';
import { createRoom, type Room } from '../../../platform/concurrency/room.ts';
import { createShares, type Shares } from '../../../platform/concurrency/shares.ts';
import type { Services } from '../../../services.ts';
import type { Message } from '../message.ts';
import type { Settler } from '../settle.ts';

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
  send(messages: readonly Message[]): void;
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
    send(messages) {
      if (messages.length === 0) return;
      const relay = relayAll(services, settle, places, messages).finally(() =>
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
  take(messages: Iterable<Message>): void;
  give(messages: Iterable<Message>): void;
}

function createPlaces({ max, each, onShareFree }: FlightOptions): Places {
  const room = createRoom(max);
  const shares = createShares(each);
  return {
    room,
    shares,
    take(messages) {
      for (const { request } of messages) {
        room.take(1);
        shares.take(request.merchant_id);
      }
    },
    give(messages) {
      for (const { request } of messages) {
        room.give(1);
        if (shares.give(request.merchant_id)) onShareFree?.();
      }
    },
  };
}

/** Never rejects: what is not settled stays an open attempt, whose lease runs out, and the resolver asks. */
async function relayAll(
  services: Services,
  settle: Settler,
  places: Places,
  messages: readonly Message[],
): Promise<void> {
  const open = new Map(messages.map((message) => [message.request.id, message]));
  const settling: Promise<void>[] = [];
  const onAnswer = (answer: RelayAnswer): void => {
    const message = open.get(answer.id);
    if (!message || !open.delete(answer.id)) return;
    settling.push(
      settleOne(services, settle, message, answer).finally(() => places.give([message])),
    );
  };
  places.take(messages);
  try {
    await services.relay.relay(
      messages.map(({ request }) => request),
      onAnswer,
    );
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
  { request: { merchant_id, id }, processor }: Message,
  answer: RelayAnswer,
): Promise<void> {
  try {
    const result = processor.authorise.mapAnswer(answer, id);
    await settle({ key: { merchant_id, id }, result });
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ attempt: id, err }, 'settling failed');
  }
}
