import { type Claim, readClaims } from './claims.ts';
import { explainMismatch } from './explain.ts';
import type { WebhookHeaders } from './headers.ts';
import { isSigned } from './hmac.ts';
import { utf8 } from './text.ts';
import { WebhookError } from './webhook-error.ts';
import type { WebhookEvent } from './webhook-event.ts';

export interface VerifyOptions {
  /** Maximum difference between the signature's time and now, in seconds. Default 300. */
  readonly tolerance_s?: number;
  /** Current time, for tests: a `Date`, or milliseconds since 1970 as from `Date.now()`. */
  readonly now?: Date | number;
}

const TOLERANCE_S = 300;
/** Above the two secrets that are valid during a rotation. */
const SECRETS_MAX = 10;

/**
 * Verifies a delivery of Florin and returns its event.
 *
 * A secret must have signed the request recently, with `edge-signature` or by Standard Webhooks. Pass
 * several secrets during a rotation. Rejects with a `WebhookError`.
 * @param rawBody the unparsed body, as bytes or text
 * @param secrets the `secret_key` of the webhook subscription, as the dashboard shows it
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[] | undefined,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody);
  const secretList = secretsOf(secrets);
  const claims = readClaims(headers);
  for (const claim of claims) checkTime(claim, options);
  if (!(await isSigned(claims, body, secretList))) {
    throw await explainMismatch({ claims, headers, body, secrets: secretList });
  }
  return eventOf(body);
}

function bytesOf(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return utf8(rawBody);
  if (rawBody instanceof Uint8Array) return new Uint8Array(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new WebhookError(
    'body_parsed',
    'The body is neither text nor bytes: a parser has already read it. Pass the unparsed body.',
  );
}

function secretsOf(secrets: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const texts = values.filter((secret): secret is string => typeof secret === 'string');
  if (texts.length === values.length && texts.every(Boolean) && texts.length > 0) {
    if (texts.length <= SECRETS_MAX) return texts;
    throw new WebhookError('secret_wrong', `There are more than ${SECRETS_MAX} secrets.`);
  }
  throw new WebhookError(
    'secret_missing',
    'The secret is missing or empty. Check the variable that holds it.',
  );
}

function checkTime({ t }: Claim, { tolerance_s = TOLERANCE_S, now = Date.now() }: VerifyOptions) {
  const age_s = Math.floor(Number(now) / 1000) - t;
  if (Math.abs(age_s) <= tolerance_s) return;
  const [code, direction] =
    age_s > 0 ? (['too_old', 'ago'] as const) : (['too_new', 'ahead'] as const);
  throw new WebhookError(
    code,
    `The request was signed ${Math.abs(age_s)} s ${direction}, more than ${tolerance_s} s: it was delayed or replayed, or the clock of this machine is wrong.`,
  );
}

function eventOf(body: Uint8Array): WebhookEvent {
  try {
    const { data } = JSON.parse(new TextDecoder().decode(body));
    const { resource_type, slug } = data.attributes;
    if (data.type === 'events' && typeof resource_type === 'string' && typeof slug === 'string') {
      return { ...data, code: `${resource_type}.${slug}` };
    }
  } catch {
    // Invalid JSON gets the same error as a document that is no event.
  }
  throw new WebhookError('not_an_event', 'The signature is right, but the body is not an event.');
}
