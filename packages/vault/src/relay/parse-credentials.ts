import type {
  BasicCredentials,
  ClientCertificate,
  CredentialHeader,
  CredentialValue,
} from '@florin/contract/protocol/credentials.ts';
import type { Login } from '@florin/contract/protocol/processor-accounts.ts';
import type { Credentials } from '@florin/contract/protocol/vault.ts';
import { toId, toObject, toText } from '../http/input.ts';
import { toSecretFields } from '../http/placeholders.ts';
import { badRequest } from '../kernel/errors.ts';
import { requireFreeHeader } from './free-headers.ts';

const HEADERS_MAX = 4;
const PREFIX_CHARS_MAX = 32;
const TEXT_CHARS_MAX = 200;

/** Parses placeholders for secrets. Throws `bad_request` that names the invalid member. */
export function parseCredentials(value: unknown, at: string): Credentials {
  const { account_id } = toObject(value, at);
  return { account_id: toId(account_id, `${at}.account_id`), ...parseLogin(value, at) };
}

/** Parses the login of a message, without its account. */
export function parseLogin(value: unknown, at: string): Login {
  const { headers, basic, body, client_certificate } = toObject(value, at);
  const parsedHeaders = parseHeaders(headers, `${at}.headers`);
  if (basic !== undefined && Object.hasOwn(parsedHeaders, 'authorization'))
    throw badRequest(`${at}.headers must not set authorization beside basic.`);
  return {
    headers: parsedHeaders,
    ...(basic !== undefined && { basic: parseBasic(basic, `${at}.basic`) }),
    ...(body !== undefined && { body: toSecretFields(body, `${at}.body`) }),
    ...(client_certificate !== undefined && {
      client_certificate: parseCertificate(client_certificate, `${at}.client_certificate`),
    }),
  };
}

function parseHeaders(value: unknown, at: string): Record<string, CredentialHeader> {
  const entries = Object.entries(toObject(value, at));
  if (entries.length > HEADERS_MAX) throw badRequest(`${at} must have at most ${HEADERS_MAX}.`);
  return Object.fromEntries(
    entries.map(([name, header]) => {
      requireFreeHeader(name, at);
      return [name.toLowerCase(), parseHeader(header, `${at}.${name}`)];
    }),
  );
}

function parseHeader(value: unknown, at: string): CredentialHeader {
  const { prefix, secret } = toObject(value, at);
  return {
    ...(prefix !== undefined && { prefix: toText(prefix, `${at}.prefix`, PREFIX_CHARS_MAX) }),
    secret: toId(secret, `${at}.secret`),
  };
}

function parseCertificate(value: unknown, at: string): ClientCertificate {
  const { certificate, private_key } = toObject(value, at);
  return {
    certificate: toId(certificate, `${at}.certificate`),
    private_key: toId(private_key, `${at}.private_key`),
  };
}

function parseBasic(value: unknown, at: string): BasicCredentials {
  const { user, password } = toObject(value, at);
  return {
    user: parseValue(user, `${at}.user`),
    password: parseValue(password, `${at}.password`),
  };
}

function parseValue(value: unknown, at: string): CredentialValue {
  const { secret, text } = toObject(value, at);
  if (secret !== undefined) return { secret: toId(secret, `${at}.secret`) };
  // Some processors take a key as user, and no password.
  return { text: text === '' ? text : toText(text, `${at}.text`, TEXT_CHARS_MAX) };
}
