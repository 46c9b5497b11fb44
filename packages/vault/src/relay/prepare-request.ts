import type { CardRefusal, RelayRequest } from '@florin/contract/protocol/vault.ts';
import type { Alarms } from '../audit/alarms.ts';
import { cardValueOf } from './card-value.ts';
import { bodyWriters } from './codecs/codecs.ts';
import type { BatchCredentials, FilledCredentials } from './credentials.ts';
import { fillBody, type Placeholder } from './fill.ts';
import { RelayRefusal } from './refusal.ts';
import type { ScrubbedSecrets } from './scrub.ts';
import type { BatchSecrets, CardSecrets } from './secrets.ts';
import type { OutgoingRequest } from './sender.ts';

/** Longest host name, with scheme and port. */
const ORIGIN_CHARS_MAX = 270;

export interface PrepareDeps {
  readonly alarms: Alarms;
  readonly egress: ReadonlySet<string>;
}

/** Data of a batch from the database. */
export interface Batch {
  readonly credentials: BatchCredentials;
  readonly secrets: BatchSecrets;
}

/** A filled request, and the secrets that its response must not contain. */
export interface PreparedRequest {
  readonly outgoingRequest: OutgoingRequest;
  readonly secrets: ScrubbedSecrets;
}

/** Fills cards and credentials into a request. Throws `RelayRefusal` if the request must not be sent. */
export async function prepareRequest(
  { egress, alarms }: PrepareDeps,
  batch: Batch,
  request: RelayRequest,
): Promise<PreparedRequest> {
  const url = requireAllowedUrl(request.url, egress);
  const credentials = await batch.credentials.fill(request, url);
  const card = await openCard(batch.secrets, alarms, request);
  return {
    outgoingRequest: fillRequest(request, url, card, credentials),
    secrets: { ...card, credentials: credentials.secrets },
  };
}

/** Parses a URL. Throws if its origin is not allowed or it contains a login. */
function requireAllowedUrl(text: string, egress: ReadonlySet<string>): URL {
  const url = URL.parse(text);
  if (url && egress.has(url.origin) && !url.username && !url.password) return url;
  throw new RelayRefusal('egress_not_allowed', describeAddress(url, egress));
}

function describeAddress(url: URL | null, egress: ReadonlySet<string>): string {
  if (!url) return 'The message has no address.';
  if (egress.has(url.origin)) return `The address at ${url.origin} has a login.`;
  return `VAULT_EGRESS has no ${url.origin.slice(0, ORIGIN_CHARS_MAX)}.`;
}

const refuseCard = (why: CardRefusal): RelayRefusal => new RelayRefusal(why);

async function openCard(
  secrets: BatchSecrets,
  alarms: Alarms,
  request: RelayRequest,
): Promise<CardSecrets> {
  const card = await secrets.open(request).catch(() => {
    alarms.countUnreadable('record_unreadable');
    throw new RelayRefusal('record_unreadable');
  });
  if (!card) throw refuseCard('unknown_token');
  if (lacksCryptogram(request, card)) throw refuseCard('cryptogram_missing');
  if (request.requires_cvv && !card.cvv) throw refuseCard('cvv_missing');
  return card;
}

/** Whether the cryptogram is missing. Without it the processor would charge a card that nobody authenticated. */
const lacksCryptogram = ({ card_fields }: RelayRequest, { cryptogram }: CardSecrets): boolean =>
  cryptogram === undefined && Object.values(card_fields).includes('cryptogram');

function fillRequest(
  request: RelayRequest,
  url: URL,
  card: CardSecrets,
  credentials: FilledCredentials,
): OutgoingRequest {
  const { method, timeout_ms, not_after, large_answer = false, codec = 'json' } = request;
  const placeholders = [...cardPlaceholders(request, card), ...credentials.placeholders];
  const filledBody = fillBody(request.body, placeholders);
  const written = filledBody === undefined ? undefined : bodyWriters[codec](filledBody);
  const headers = {
    ...(written && { 'content-type': written.contentType }),
    ...request.headers,
    ...credentials.headers,
  };
  const body = written?.bytes ?? null;
  const { client } = credentials;
  const sending = { method, url, headers, body, timeout_ms, not_after, large_answer };
  return { ...sending, ...(client && { client }) };
}

const cardPlaceholders = ({ card_fields }: RelayRequest, card: CardSecrets): Placeholder[] =>
  Object.entries(card_fields).map(([pointer, field]) => ({
    pointer,
    name: field,
    value: cardValueOf(field, card),
  }));
