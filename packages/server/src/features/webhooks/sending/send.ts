import type { LookupFunction } from 'node:net';
import { EVENT_ID_HEADER } from '@florin/contract/protocol/webhook.ts';
import { Agent } from 'undici';
import manifest from '../../../../package.json' with { type: 'json' };
import type { Sealer } from '../../../platform/crypto/sealer.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Micros } from '../../../platform/time/clock.ts';
import { deliveryBody, type EndpointAnswer, type EndpointResponse } from '../delivery.ts';
import type { ClaimedDelivery } from '../load.ts';
import { createKeyReader } from '../signing/secrets.ts';
import { type SigningKey, signatureHeaders } from '../signing/sign.ts';
import { storedBody, storedHeaders } from './answer.ts';
import { exchange } from './exchange.ts';
import { type AddressRules, createCheckedLookup, rulesFor, urlRefusal } from './guard.ts';

/** Milliseconds from the first packet to the last byte that is read of the response. */
export const SEND_TIMEOUT_MS = 10_000;
/** Bytes; a response with more headers counts as an error. */
const HEADERS_MAX = 16_384;
/** Statuses with which receivers refuse a signature that they cannot verify. */
const UNKNOWN_SIGNATURE: ReadonlySet<number> = new Set([400, 401, 403]);

const USER_AGENT = `Florin/${manifest.version}`;

export interface SenderOptions {
  readonly timeout_ms?: number;
  /** Resolves hosts in place of live mode's lookup. */
  readonly lookup?: LookupFunction;
  /** Addresses that sandbox webhooks may reach. */
  readonly sandbox_webhooks?: 'private' | 'public';
  /**
   * Time for signatures, which receivers compare with their clock. Default: the time of sending.
   */
  readonly signatureTime?: () => Micros;
}

export interface Sender extends AsyncDisposable {
  /** Sends a message once. Never throws: the result contains any error. */
  send(claimedDelivery: ClaimedDelivery, now: Micros): Promise<EndpointAnswer>;
}

/** Sends webhook messages over pooled connections. Does not follow redirects. */
export function createSender(sealer: Sealer, options: SenderOptions = {}): Sender {
  const { timeout_ms = SEND_TIMEOUT_MS, lookup = createCheckedLookup('live') } = options;
  const { sandbox_webhooks = 'private', signatureTime: stamp } = options;
  const sandbox_lookup = createCheckedLookup('sandbox');
  const agentOptions = { allowH2: false, maxHeaderSize: HEADERS_MAX };
  const agents = {
    live: new Agent({ ...agentOptions, connect: { lookup } }),
    sandbox: new Agent({ ...agentOptions, connect: { lookup: sandbox_lookup } }),
  };
  const keysOf = createKeyReader(sealer);
  const addresses = new WeakMap<Row, Address>();
  const addressOf = (subscription: Row): Address => {
    const address = addresses.get(subscription) ?? readAddress(subscription, sandbox_webhooks);
    addresses.set(subscription, address);
    return address;
  };
  return {
    async send(claimedDelivery, now) {
      const { event, subscription } = claimedDelivery;
      const { isRefused, rules, ...target } = addressOf(subscription);
      if (isRefused) return { error: 'address_refused' };
      const ends_at = performance.now() + timeout_ms;
      try {
        const { current, previous } = keysOf(subscription, now);
        const signed_at = stamp?.() ?? now;
        const message = {
          ...target,
          event_id: event.id as string,
          body: deliveryBody(event),
          signed_at,
        };
        const transport = { agent: agents[rules], ends_at };
        if (previous === undefined) return await post(message, [current], transport);
        // A receiver of `edge-signature` accepts one signature only. If it knows the other secret
        // of a rotation, it gets a second message.
        const firstAnswer = await post(message, [previous, current], transport);
        return UNKNOWN_SIGNATURE.has(firstAnswer.status)
          ? await post(message, [current, previous], transport)
          : firstAnswer;
      } catch (error) {
        return { error: reasonOf(error) };
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([agents.live.destroy(), agents.sandbox.destroy()]);
    },
  };
}

/** Address of a subscription. Computed once for a row. */
interface Address {
  readonly isRefused: boolean;
  readonly rules: AddressRules;
  readonly origin: string;
  readonly path: string;
}

function readAddress(
  { mode, url }: Row,
  sandbox_webhooks: NonNullable<SenderOptions['sandbox_webhooks']>,
): Address {
  const rules = rulesFor(mode as 'live' | 'sandbox', sandbox_webhooks);
  const isRefused = urlRefusal(url as string, rules) !== undefined;
  const { origin, pathname, search } = URL.parse(url as string) ?? NO_ADDRESS;
  return { isRefused, rules, origin, path: pathname + search };
}

const NO_ADDRESS = { origin: '', pathname: '', search: '' };

interface OutgoingMessage {
  readonly origin: string;
  readonly path: string;
  readonly event_id: string;
  readonly body: string;
  readonly signed_at: Micros;
}

async function post(
  { origin, path, signed_at, ...signable }: OutgoingMessage,
  keys: readonly [SigningKey, ...SigningKey[]],
  { agent, ends_at }: { readonly agent: Agent; readonly ends_at: number },
): Promise<EndpointResponse> {
  const request = {
    origin,
    path,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      [EVENT_ID_HEADER]: signable.event_id,
      ...signatureHeaders(signable, keys, Math.floor(signed_at / 1_000_000)),
    },
    body: signable.body,
  };
  const { status, headers, body } = await exchange(agent, request, ends_at);
  return {
    status,
    headers: storedHeaders(headers),
    body: storedBody(body),
    retry_after: [headers['retry-after']].flat()[0],
  };
}

const REASONS: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  UND_ERR_SOCKET: 'connection_closed',
  address_refused: 'address_refused',
  secret_unreadable: 'secret_unreadable',
};

/** Short name of an error, which the merchant can see. */
function reasonOf(error: unknown): string {
  const { name = '', code } = error as { name?: string; code?: unknown };
  const cause = typeof code === 'string' ? code : '';
  if (name === 'TimeoutError' || /TIMEOUT|ETIMEDOUT/.test(cause)) return 'timeout';
  if (name === 'HTTPParserError') return 'invalid_answer';
  const isNamed = cause !== '' && !cause.startsWith('UND_ERR_');
  return REASONS[cause] ?? (isNamed ? `connection_failed: ${cause}` : 'connection_failed');
}
