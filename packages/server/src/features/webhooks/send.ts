import type { LookupFunction } from 'node:net';
import { EVENT_ID_HEADER } from '@florin/contract/protocol/webhook.ts';
import { Agent, request } from 'undici';
import manifest from '../../../package.json' with { type: 'json' };
import type { Micros } from '../../kernel/clock.ts';
import { type Answer, deliveryBody } from './delivery.ts';
import { createVettedLookup, urlRefusal } from './guard.ts';
import type { Parcel } from './load.ts';
import { signatureHeaders } from './sign.ts';

/** From the first packet to the last byte that is read of the answer. */
export const SEND_TIMEOUT_MS = 10_000;
/** The answer's status is what counts; of its body no more than this is taken off the wire. */
const RESPONSE_BODY_MAX = 16_384;

const USER_AGENT = `Florin/${manifest.version}`;

export interface SenderOptions {
  readonly timeout_ms?: number;
  /** Resolves the hosts of live deliveries. */
  readonly lookup?: LookupFunction;
}

export interface Sender extends AsyncDisposable {
  /** Makes one attempt. Never throws: whatever goes wrong is the answer. */
  send(parcel: Parcel, now: Micros): Promise<Answer>;
}

/** Sends deliveries over connections that it keeps. Redirects are answers like any other, not followed. */
export function createSender(options: SenderOptions = {}): Sender {
  const { timeout_ms = SEND_TIMEOUT_MS, lookup = createVettedLookup() } = options;
  const agents = {
    live: new Agent({ connect: { lookup }, allowH2: false }),
    sandbox: new Agent({ allowH2: false }),
  };
  return {
    async send(parcel, now) {
      const mode = parcel.subscription.mode as 'live' | 'sandbox';
      const url = parcel.subscription.url as string;
      if (urlRefusal(url, mode)) return { error: 'address_refused' };
      try {
        return await post(agents[mode], url, parcel, now, AbortSignal.timeout(timeout_ms));
      } catch (error) {
        return { error: reasonOf(error) };
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([agents.live.destroy(), agents.sandbox.destroy()]);
    },
  };
}

async function post(
  dispatcher: Agent,
  url: string,
  { event, subscription }: Parcel,
  now: Micros,
  signal: AbortSignal,
): Promise<Answer> {
  const body = deliveryBody(event);
  const event_id = event.id as string;
  const signable = { event_id, secret_key: subscription.secret_key as string, body };
  const response = await request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      [EVENT_ID_HEADER]: event_id,
      ...signatureHeaders(signable, Math.floor(now / 1_000_000)),
    },
    body,
    dispatcher,
    signal,
  });
  await response.body.dump({ limit: RESPONSE_BODY_MAX, signal }).catch(() => {});
  return { status: response.statusCode };
}

/** A short name of what went wrong, fit to be shown to the merchant. */
function reasonOf(error: unknown): string {
  const { name = '', code } = error as { name?: string; code?: unknown };
  const cause = typeof code === 'string' ? code : '';
  if (name === 'TimeoutError' || /TIMEOUT|ETIMEDOUT/.test(cause)) return 'timeout';
  if (cause === 'address_refused') return cause;
  return cause ? `connection_failed: ${cause}` : 'connection_failed';
}
