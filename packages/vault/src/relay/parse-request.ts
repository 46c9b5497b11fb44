import {
  answerCodecs,
  RELAY_BATCH_MAX,
  type RelayMethod,
  type RelayRequest,
  relayCodecs,
  relayMethods,
} from '@florin/contract/protocol/vault.ts';
import {
  type Input,
  isObject,
  TOKEN_CHARS_MAX,
  toBoolean,
  toId,
  toInteger,
  toObject,
  toOneOf,
  toScope,
  toText,
} from '../http/input.ts';
import { toCardFields } from '../http/placeholders.ts';
import { badRequest } from '../kernel/errors.ts';
import { requireFreeHeader } from './free-headers.ts';
import { parseCredentials } from './parse-credentials.ts';

const URL_CHARS_MAX = 2048;
const HEADERS_MAX = 64;
const ANSWER_HEADERS_MAX = 8;
export const TIMEOUT_MS_MAX = 120_000;

/** Parses a batch. Throws `bad_request` that names the invalid member; then no request of the batch is sent. */
export function parseRelayRequests(body: unknown): RelayRequest[] {
  const { requests } = toObject(body, 'The body');
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > RELAY_BATCH_MAX) {
    throw badRequest(`requests must be a list of 1 to ${RELAY_BATCH_MAX}.`);
  }
  const relayRequests = requests.map((request, index) =>
    parseRequest(request, `requests[${index}]`),
  );
  if (new Set(relayRequests.map(({ id }) => id)).size < relayRequests.length) {
    throw badRequest('requests must each have an id of their own.');
  }
  return relayRequests;
}

function parseRequest(value: unknown, at: string): RelayRequest {
  const input = toObject(value, at);
  const method = parseMethod(input, at);
  if (input.card_pan_token === undefined) requireNoCard(input, at);
  return {
    id: toId(input.id, `${at}.id`),
    ...toScope(input, `${at}.`),
    ...parseTokens(input, at),
    consumes_cvv: parseConsumes(input, at),
    method,
    url: toText(input.url, `${at}.url`, URL_CHARS_MAX),
    headers: parseHeaders(input.headers, `${at}.headers`),
    ...(input.body !== undefined && { body: input.body }),
    ...parseCodecs(input, at),
    ...parsePlaceholders(input, at),
    ...(input.answer_headers !== undefined && {
      answer_headers: parseAnswerHeaders(input.answer_headers, `${at}.answer_headers`),
    }),
    ...(input.large_answer !== undefined && parseLargeAnswer(input, at)),
    timeout_ms: toInteger(input.timeout_ms, `${at}.timeout_ms`, 1, TIMEOUT_MS_MAX),
    not_after: toInteger(input.not_after, `${at}.not_after`, 0, Number.MAX_SAFE_INTEGER),
    requires_cvv: toBoolean(input.requires_cvv ?? false, `${at}.requires_cvv`),
  };
}

const parseCodecs = ({ codec, answer_codec }: Input, at: string) => ({
  ...(codec !== undefined && { codec: toOneOf(codec, `${at}.codec`, relayCodecs) }),
  ...(answer_codec !== undefined && {
    answer_codec: toOneOf(answer_codec, `${at}.answer_codec`, answerCodecs),
  }),
});

function parseMethod({ method, card_pan_token }: Input, at: string): RelayMethod {
  const allowedMethods = card_pan_token === undefined ? relayMethods : (['POST'] as const);
  const allowedMethod = allowedMethods.find((name) => name === method);
  if (!allowedMethod) throw badRequest(`${at}.method must be ${allowedMethods.join(', ')}.`);
  return allowedMethod;
}

/**
 * Whether the single-use values of a message are deleted before it is sent. A server cannot keep them for a second message
 * to an account at a processor.
 */
function parseConsumes(input: Input, at: string): boolean {
  const { credentials, card_cvv_token, card_cryptogram_token } = input;
  const hasValue = card_cvv_token !== undefined || card_cryptogram_token !== undefined;
  const consumes = toBoolean(input.consumes_cvv, `${at}.consumes_cvv`);
  return consumes || (hasValue && credentials !== undefined);
}

/** Refuses card fields and tokens of a request that names no card. */
function requireNoCard(input: Input, at: string): void {
  const { card_cvv_token, card_cryptogram_token, consumes_cvv, requires_cvv } = input;
  const hasCard =
    card_cvv_token !== undefined ||
    card_cryptogram_token !== undefined ||
    consumes_cvv === true ||
    requires_cvv === true ||
    Object.keys(toObject(input.card_fields, `${at}.card_fields`)).length > 0;
  if (hasCard) throw badRequest(`${at}.card_pan_token must be set: the request names card data.`);
}

/** Parses placeholders. Two of them at one place would leave open which is sent. */
function parsePlaceholders(
  { card_fields: fields, card_pan_token, credentials: input }: Input,
  at: string,
) {
  const card_fields = toCardFields(fields, `${at}.card_fields`);
  // Otherwise an answer could tell about a card that was not sent.
  if (card_pan_token !== undefined && !Object.values(card_fields).includes('pan'))
    throw badRequest(`${at}.card_fields must have a place of the pan: the request names a card.`);
  if (input === undefined) return { card_fields };
  const credentials = parseCredentials(input, `${at}.credentials`);
  for (const pointer of Object.keys(credentials.body ?? {}))
    if (Object.hasOwn(card_fields, pointer))
      throw badRequest(`${at}.credentials.body must not name places of card_fields.`);
  return { card_fields, credentials };
}

/** Large responses are masked as texts, which a response to a message with a card must not rely on. */
function parseLargeAnswer(
  { large_answer, method, answer_codec, card_pan_token }: Input,
  at: string,
) {
  const isLarge = toBoolean(large_answer, `${at}.large_answer`);
  const isDownload = method === 'GET' && answer_codec === 'text' && card_pan_token === undefined;
  if (isLarge && !isDownload)
    throw badRequest(`${at}.large_answer needs a GET without a card, and the answer_codec text.`);
  return { large_answer: isLarge };
}

function parseAnswerHeaders(value: unknown, at: string): string[] {
  if (!Array.isArray(value) || value.length > ANSWER_HEADERS_MAX)
    throw badRequest(`${at} must be a list of at most ${ANSWER_HEADERS_MAX}.`);
  return value.map((name, index) => toId(name, `${at}[${index}]`).toLowerCase());
}

const parseTokens = (
  { card_pan_token, card_cvv_token, card_cryptogram_token }: Input,
  at: string,
) => ({
  ...(card_pan_token !== undefined && {
    card_pan_token: toText(card_pan_token, `${at}.card_pan_token`, TOKEN_CHARS_MAX),
  }),
  ...(card_cvv_token !== undefined && {
    card_cvv_token: toText(card_cvv_token, `${at}.card_cvv_token`, TOKEN_CHARS_MAX),
  }),
  ...(card_cryptogram_token !== undefined && {
    card_cryptogram_token: toText(
      card_cryptogram_token,
      `${at}.card_cryptogram_token`,
      TOKEN_CHARS_MAX,
    ),
  }),
});

function parseHeaders(value: unknown, at: string): Record<string, string> {
  const entries = isObject(value) ? Object.entries(value) : undefined;
  if (!entries || entries.length > HEADERS_MAX) {
    throw badRequest(`${at} must be an object of at most ${HEADERS_MAX} strings.`);
  }
  return Object.fromEntries(
    entries.map(([name, text]) => {
      if (typeof text !== 'string') throw badRequest(`${at} must hold strings only.`);
      requireFreeHeader(name, at);
      return [name.toLowerCase(), text];
    }),
  );
}
