import { Agent, request as send } from 'undici';
import type { WireAnswer, WireRequest } from './processor.ts';
import { failedToConnect, faultOf } from './wire-error.ts';

const CONNECTIONS_PER_ORIGIN_MAX = 64;
const ANSWER_BYTES_MAX = 64 * 1024;

const agent = new Agent({
  connections: CONNECTIONS_PER_ORIGIN_MAX,
  maxResponseSize: ANSWER_BYTES_MAX,
});

/** Sends a message without card data straight to the processor. Never throws, redirects or tries again. */
export async function sendPlain(request: WireRequest): Promise<WireAnswer> {
  const { method, url, headers, timeout_ms } = request;
  try {
    const response = await send(url, {
      dispatcher: agent,
      method,
      headers,
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal: AbortSignal.timeout(timeout_ms),
    });
    const body = await response.body.json();
    return { outcome: 'answered', status: response.statusCode, body };
  } catch (error) {
    return { outcome: failedToConnect(error) ? 'not_sent' : 'lost', why: faultOf(error) };
  }
}
