import {
  type EgressRequest,
  type ProcessorAccountRef,
  type ProcessorAccountRequest,
  SIGNED_CHARS_MAX,
  type SignatureRequest,
} from '@florin/contract/protocol/processor-accounts.ts';
import { type Input, toId, toMode, toObject, toOneOf, toText } from '../http/input.ts';
import { badRequest } from '../kernel/errors.ts';
import { parseEgressRules, toAccountOrigin } from './parse-egress.ts';

const ORIGINS_MAX = 16;
const SECRETS_MAX = 16;
/** Secrets that a signature may be made with. */
const NAMES_MAX = 4;
const SIGNATURE_CHARS_MAX = 200;
/** Long enough to be masked wherever a response repeats it. */
const SECRET_CHARS_MIN = 8;
/** Long enough for the private key of a client certificate as PEM. */
const SECRET_CHARS_MAX = 8_192;
const SECRET_NAME = /^[a-z][a-z0-9_]{0,39}$/;

export function parseAccountRef(body: unknown): ProcessorAccountRef {
  const input = toObject(body, 'The body');
  return { account_id: toId(input.account_id, 'account_id'), mode: toMode(input.mode, 'mode') };
}

/** Parses an account with secrets. Errors name members and never repeat a value. */
export function parseAccountRequest(body: unknown): ProcessorAccountRequest {
  const { origins, secrets } = toObject(body, 'The body');
  return {
    ...parseEgressRequest(body),
    origins: parseOrigins(origins),
    secrets: parseSecrets(secrets),
  };
}

export function parseEgressRequest(body: unknown): EgressRequest {
  const { merchant_id, egress } = toObject(body, 'The body');
  return {
    ...parseAccountRef(body),
    ...(merchant_id !== undefined && { merchant_id: parseMerchant(merchant_id) }),
    ...(egress !== undefined && { egress: parseEgressRules(egress) }),
  };
}

const parseMerchant = (value: unknown): string | null =>
  value === null ? null : toId(value, 'merchant_id');

export function parseSignatureRequest(body: unknown): SignatureRequest {
  const { secrets, check } = toObject(body, 'The body');
  if (!Array.isArray(secrets) || secrets.length === 0 || secrets.length > NAMES_MAX)
    throw badRequest(`secrets must be a list of 1 to ${NAMES_MAX}.`);
  return {
    ...parseAccountRef(body),
    secrets: secrets.map((name, index) => toId(name, `secrets[${index}]`)),
    check: parseCheck(toObject(check, 'check')),
  };
}

function parseCheck(check: Input): SignatureRequest['check'] {
  const kind = toOneOf(check.kind, 'check.kind', ['hmac_sha256', 'equal']);
  if (kind === 'equal') return { kind, text: toText(check.text, 'check.text', SECRET_CHARS_MAX) };
  return {
    kind,
    key_encoding: toOneOf(check.key_encoding, 'check.key_encoding', ['utf8', 'hex']),
    payload: toText(check.payload, 'check.payload', SIGNED_CHARS_MAX),
    payload_encoding: toOneOf(check.payload_encoding, 'check.payload_encoding', ['utf8', 'base64']),
    signature: toText(check.signature, 'check.signature', SIGNATURE_CHARS_MAX),
    signature_encoding: toOneOf(check.signature_encoding, 'check.signature_encoding', [
      'hex',
      'base64',
    ]),
  };
}

function parseOrigins(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > ORIGINS_MAX)
    throw badRequest(`origins must be a list of 1 to ${ORIGINS_MAX}.`);
  return value.map((item, index) => toAccountOrigin(item, `origins[${index}]`));
}

function parseSecrets(value: unknown): Record<string, string | null> {
  const entries = Object.entries(toObject(value, 'secrets'));
  if (entries.length > SECRETS_MAX) throw badRequest(`secrets must have at most ${SECRETS_MAX}.`);
  return Object.fromEntries(
    entries.map(([name, secret]) => {
      if (!SECRET_NAME.test(name))
        throw badRequest('secrets must have names of 1 to 40 lower-case letters, digits and _.');
      return [name, secret === null ? null : parseSecret(secret, `secrets.${name}`)];
    }),
  );
}

function parseSecret(value: unknown, name: string): string {
  const secret = toText(value, name, SECRET_CHARS_MAX);
  if (secret.length < SECRET_CHARS_MIN)
    throw badRequest(`${name} must have at least ${SECRET_CHARS_MIN} characters.`);
  return secret;
}
