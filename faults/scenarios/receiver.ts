import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Response of a merchant's server to a webhook message: accept, 503, or disconnect after reading. */
export type ReceiverResponse = 'take' | 'refuse' | 'hang_up';

/** Content of a webhook message. */
export interface ReceivedEvent {
  readonly event_id: string;
  readonly resource_id: string;
  /** Order of the events of a record. */
  readonly sequence: number;
  readonly status: unknown;
  readonly updated_at: string;
}

/** A merchant's server that records the webhook messages which it accepts. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly acceptedEvents: readonly ReceivedEvent[];
}

/** Starts a receiver. The nth message gets the nth response of `responseKinds`; later messages are accepted. */
export async function startReceiver(responseKinds: readonly ReceiverResponse[]): Promise<Receiver> {
  const acceptedEvents: ReceivedEvent[] = [];
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    const responseKind = responseKinds[count++] ?? 'take';
    if (body === undefined || responseKind === 'hang_up') response.socket?.resetAndDestroy();
    else if (responseKind === 'refuse') response.writeHead(503).end();
    else {
      acceptedEvents.push(parseEvent(body));
      response.writeHead(204).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    acceptedEvents,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface EventDocument {
  readonly data: {
    readonly id: string;
    readonly attributes: {
      readonly resource_id: string;
      readonly sequence: number;
      readonly data: { readonly attributes: { status?: unknown; updated_at: string } };
    };
  };
}

function parseEvent(body: string): ReceivedEvent {
  const { id, attributes } = (JSON.parse(body) as EventDocument).data;
  const { resource_id, sequence, data } = attributes;
  const { status, updated_at } = data.attributes;
  return { event_id: id, resource_id, sequence, status, updated_at };
}
