import { EGRESS_RULES_MAX, type EgressRule } from '@florin/contract/protocol/processor-accounts.ts';
import { relayCodecs, relayMethods } from '@florin/contract/protocol/vault.ts';
import { type Input, toId, toObject, toOneOf, toText } from '../http/input.ts';
import { toCardFields, toSecretFields } from '../http/placeholders.ts';
import { badRequest } from '../kernel/errors.ts';
import { parseLogin } from '../relay/parse-credentials.ts';

const ORIGIN_CHARS_MAX = 200;
const PATH_CHARS_MAX = 200;
const NAMES_MAX = 16;
/** Segments of letters, digits and marks that URLs keep as they are, or `*`. */
const PATH_PATTERN = /^(\/([\w.~!$&'()+,;=:@%-]+|\*))+$/;
/** Hosts that a message cannot leave the machine for. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Parses an origin to which cards and secrets are sent: `https`, except on this machine. */
export function toAccountOrigin(value: unknown, name: string): string {
  const text = toText(value, name, ORIGIN_CHARS_MAX);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== text)
    throw badRequest(`${name} must be an origin such as https://network.example.`);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw badRequest(`${name} must begin with https://, or be on this machine.`);
  return text;
}

/** Parses the egress rules of an account. Throws `bad_request` that names the invalid member. */
export function parseEgressRules(value: unknown): EgressRule[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > EGRESS_RULES_MAX)
    throw badRequest(`egress must be a list of 1 to ${EGRESS_RULES_MAX}.`);
  return value.map((item, index) => parseRule(toObject(item, `egress[${index}]`), index));
}

function parseRule(input: Input, index: number): EgressRule {
  const at = `egress[${index}]`;
  const { query, card_fields, secret_fields, login, headers, codec } = input;
  return {
    origin: toAccountOrigin(input.origin, `${at}.origin`),
    method: toOneOf(input.method, `${at}.method`, relayMethods),
    path: parsePath(input.path, `${at}.path`),
    ...(query !== undefined && { query: parseNames(query, `${at}.query`) }),
    ...(card_fields !== undefined && {
      card_fields: toCardFields(card_fields, `${at}.card_fields`),
    }),
    ...(secret_fields !== undefined && {
      secret_fields: toSecretFields(secret_fields, `${at}.secret_fields`),
    }),
    ...(login !== undefined && { login: parseLogin(login, `${at}.login`) }),
    ...(headers !== undefined && {
      headers: parseNames(headers, `${at}.headers`).map((name) => name.toLowerCase()),
    }),
    ...(codec !== undefined && { codec: toOneOf(codec, `${at}.codec`, relayCodecs) }),
  };
}

function parsePath(value: unknown, at: string): string {
  const path = toText(value, at, PATH_CHARS_MAX);
  if (path === '/' || PATH_PATTERN.test(path)) return path;
  throw badRequest(`${at} must be a path such as /payments/* without a query.`);
}

function parseNames(value: unknown, at: string): string[] {
  if (!Array.isArray(value) || value.length > NAMES_MAX)
    throw badRequest(`${at} must be a list of at most ${NAMES_MAX}.`);
  return value.map((name, index) => toId(name, `${at}[${index}]`));
}
