import {
  type DeliveredEvent,
  deliveryBodyOf,
  standardSignature,
} from '@florin/contract/protocol/webhook.ts';
import type { Claim } from './claims.ts';
import { headerOf, type WebhookHeaders } from './headers.ts';
import { isSigned } from './hmac.ts';
import { utf8 } from './text.ts';
import { WebhookError } from './webhook-error.ts';

/** A request whose signature matches none of the secrets. */
interface Mismatch {
  readonly claims: readonly Claim[];
  readonly headers: WebhookHeaders;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly secrets: readonly string[];
}

/** Limits the CPU time that a forged request can cause. */
const EXPLAINED_BYTES_MAX = 1024 * 1024;

/** Returns an error that says, as far as possible, whether the body or the secret is wrong. */
export async function explainMismatch(mismatch: Mismatch): Promise<WebhookError> {
  const lengthError = explainLength(mismatch);
  if (lengthError) return lengthError;
  if (mismatch.body.length <= EXPLAINED_BYTES_MAX) {
    const explanation = (await explainSecret(mismatch)) ?? (await explainBody(mismatch));
    if (explanation) return explanation;
  }
  return new WebhookError(
    'mismatch',
    'No secret matches the signature. The secret is probably of another subscription or mode, or was rotated; the body looks unchanged.',
  );
}

function explainLength({ headers, body }: Mismatch): WebhookError | undefined {
  const announcedBytes = headerOf(headers, 'content-length');
  if (!announcedBytes || headerOf(headers, 'content-encoding')) return undefined;
  return Number(announcedBytes) === body.length
    ? undefined
    : createBodyError(`has ${body.length} bytes, and ${Number(announcedBytes)} were sent`);
}

async function explainSecret(mismatch: Mismatch): Promise<WebhookError | undefined> {
  const trimmedSecrets = mismatch.secrets.map((secret) =>
    secret
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
      .replace(/^whsec_/, ''),
  );
  if (await isSigned(mismatch.claims, mismatch.body, trimmedSecrets)) {
    return new WebhookError(
      'secret_wrong',
      'The secret has white space, quotation marks or a prefix around it; without them it matches the signature.',
    );
  }
  if (mismatch.secrets.every((secret) => /^ept_(?:live|sandbox)_/.test(secret.trim()))) {
    return new WebhookError(
      'secret_wrong',
      'The secret is an API key. Webhooks are signed with the secret_key of their subscription.',
    );
  }
  return undefined;
}

async function explainBody(mismatch: Mismatch): Promise<WebhookError | undefined> {
  const text = new TextDecoder().decode(mismatch.body);
  const document = parseJson(text);
  if (document === undefined) {
    return createBodyError('is not JSON: it was cut off, or read as another encoding');
  }
  for (const likelyText of likelyBodies(document)) {
    if (await isSigned(mismatch.claims, utf8(likelyText), mismatch.secrets)) {
      return createBodyError('was parsed and serialised again, with different white space');
    }
  }
  // JSON strings cannot contain raw line breaks or tabs, and Florin sends no whitespace outside of strings.
  if (/[\n\r\t]/.test(text)) return createBodyError('has line breaks or tabs that were not sent');
  const id = headerOf(mismatch.headers, standardSignature.idHeader);
  return id !== undefined && idOf(document) !== id
    ? createBodyError('belongs to another event than the headers')
    : undefined;
}

/** Bodies that Florin may have sent, from a document that was parsed and serialised again. */
function likelyBodies(document: unknown): string[] {
  try {
    const { data } = document as { data: DeliveredEvent };
    return [deliveryBodyOf(data), JSON.stringify(document)];
  } catch {
    // Florin did not send this document: it is no event, or nested too deeply to serialise.
    return [];
  }
}

const idOf = (document: unknown): unknown =>
  (document as { data?: { id?: unknown } } | null)?.data?.id;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const createBodyError = (problem: string): WebhookError =>
  new WebhookError('body_changed', `The body ${problem}. Pass the unparsed body.`);
