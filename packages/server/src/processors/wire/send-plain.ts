import { Agent, type Dispatcher, request as send } from 'undici';
import type { WireAnswer, WireRequest } from '../port/message.ts';
import { failedToConnect, faultOf } from './wire-error.ts';

/** More than the follow-ups and inquiries that all work loops have in flight. */
export const CONNECTIONS_PER_ORIGIN_MAX = 1_024;
const ANSWER_BYTES_MAX = 64 * 1024;

const agent = new Agent({
  connections: CONNECTIONS_PER_ORIGIN_MAX,
  maxResponseSize: ANSWER_BYTES_MAX,
});

/**
 * Sends a message without card data directly to the processor. Never throws, never redirects, never retries.
 * Calls `maySend` immediately before the first byte, after any wait for a connection.
 */
export async function sendPlain(
  request: WireRequest,
  maySend: () => boolean = () => true,
): Promise<WireAnswer> {
  const { method, url, headers, timeout_ms } = request;
  try {
    const response = await send(url, {
      dispatcher: agent.compose(createSendCheck(maySend)),
      method,
      headers,
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal: AbortSignal.timeout(timeout_ms),
    });
    const body = await response.body.json();
    return { outcome: 'answered', status: response.statusCode, body };
  } catch (error) {
    const isUnsent = error instanceof TooLateError || failedToConnect(error);
    return { outcome: isUnsent ? 'not_sent' : 'lost', why: faultOf(error) };
  }
}

/** Thrown if the message may no longer be sent. */
class TooLateError extends Error {
  override name = 'TooLateError';
}

/** Checks `maySend` before sending: aborting in `onRequestStart` prevents every byte. */
const createSendCheck =
  (maySend: () => boolean): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        if (maySend()) handler.onRequestStart?.(controller, context);
        else controller.abort(new TooLateError());
      },
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
