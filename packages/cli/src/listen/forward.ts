import { backOff } from '../api/back-off.ts';
import { reasonOf } from '../api/client.ts';
import { bodyOf, headersOf } from './delivery.ts';
import { type EventRecord, nameOf } from './event-log.ts';

export interface Receiver {
  readonly url: URL;
  readonly secret: string;
}

/** Response of a receiver: HTTP status and duration. */
export interface ForwardResult {
  readonly status: number;
  readonly ms: number;
}

const TIMEOUT_MS = 10_000;
/** Statuses of proxies without a running receiver. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/** Sends an event until a receiver responds with any status. Resolves with undefined if `signal` is aborted first. */
export async function forward(
  event: EventRecord,
  receiver: Receiver,
  print: (sentence: string) => void,
  signal: AbortSignal,
): Promise<ForwardResult | undefined> {
  for (let failures = 0; !signal.aborted; ) {
    const result = await post(event, receiver, signal);
    if (signal.aborted) break;
    if (typeof result !== 'string' && !UNAVAILABLE.has(result.status)) return result;
    failures += 1;
    const reason = typeof result === 'string' ? result : `answers ${result.status}`;
    if (shouldReport(failures)) print(renderWaiting(receiver, event, reason, failures));
    await backOff(failures, signal);
  }
  return undefined;
}

/** Whether to report a failure: the first and every tenth, so that an outage stays visible. */
const shouldReport = (failures: number): boolean => failures === 1 || failures % REPORT_EVERY === 0;
const REPORT_EVERY = 10;

function renderWaiting(
  { url }: Receiver,
  event: EventRecord,
  reason: string,
  failures: number,
): string {
  const subject = `${nameOf(event)} and all later events wait`;
  return failures === 1
    ? `Waiting for ${url.href} (${reason}): ${subject}. Retrying until it responds.`
    : `Still waiting for ${url.href} (${reason}), ${failures} times by now: ${subject}.`;
}

/**
 * Sends once with a fresh signature. Returns a text with the reason if no response arrives. Does not follow
 * redirects.
 */
async function post(
  event: EventRecord,
  { url, secret }: Receiver,
  signal: AbortSignal,
): Promise<ForwardResult | string> {
  const body = bodyOf(event);
  const headers = headersOf(event.id, body, secret, Math.floor(Date.now() / 1000));
  const startedAt = performance.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, ms: Math.round(performance.now() - startedAt) };
  } catch (error) {
    return reasonOf(error as Error);
  }
}
