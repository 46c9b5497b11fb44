import { backOff } from '../api/back-off.ts';
import { reasonOf } from '../api/client.ts';
import { bodyOf, headersOf } from './delivery.ts';
import { type EventRecord, nameOf } from './event-log.ts';

export interface Receiver {
  readonly url: URL;
  readonly secret: string;
}

/** What a receiver has answered, and how long that took. */
export interface Forwarded {
  readonly status: number;
  readonly ms: number;
}

const TIMEOUT_MS = 10_000;
/** What stands before a receiver answers so where there is none behind it. */
const NOBODY_THERE: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Sends an event until a receiver has answered it, whatever it answers: there the next one has its turn. Resolves with
 * undefined where `signal` is raised before.
 */
export async function forward(
  event: EventRecord,
  receiver: Receiver,
  say: (sentence: string) => void,
  signal: AbortSignal,
): Promise<Forwarded | undefined> {
  for (let failures = 0; !signal.aborted; ) {
    const answer = await post(event, receiver, signal);
    if (signal.aborted) break;
    if (typeof answer !== 'string' && !NOBODY_THERE.has(answer.status)) return answer;
    failures += 1;
    const why = typeof answer === 'string' ? answer : `answers ${answer.status}`;
    if (isToBeSaid(failures)) say(waitingFor(receiver, event, why, failures));
    await backOff(failures, signal);
  }
  return undefined;
}

/** The first failure, the tenth, the twentieth: whoever looks away for a while still finds out. */
const isToBeSaid = (failures: number): boolean => failures === 1 || failures % SAID_EVERY === 0;
const SAID_EVERY = 10;

function waitingFor({ url }: Receiver, event: EventRecord, why: string, failures: number): string {
  const what = `${nameOf(event)} waits, and all that came after it`;
  return failures === 1
    ? `Waiting for ${url.href} (${why}): ${what}. Trying again until it answers.`
    : `Still waiting for ${url.href} (${why}), ${failures} times by now: ${what}.`;
}

/** One attempt, signed anew; a text says why there was no answer. Redirects are answers, not followed. */
async function post(
  event: EventRecord,
  { url, secret }: Receiver,
  signal: AbortSignal,
): Promise<Forwarded | string> {
  const body = bodyOf(event);
  const headers = headersOf(event.id, body, secret, Math.floor(Date.now() / 1000));
  const begun = performance.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, ms: Math.round(performance.now() - begun) };
  } catch (error) {
    return reasonOf(error as Error);
  }
}
