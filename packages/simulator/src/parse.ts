import { luhnOk } from '@florin/contract/card/luhn.ts';
import {
  type AuthenticationRequest,
  type AuthorisationRequest,
  type CardRangeRequest,
  type DisputeReason,
  type DisputeRequest,
  disputeReasons,
  type FollowUpRequest,
  type WalletSheetRequest,
} from '@florin/contract/protocol/network.ts';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';

/** Invalid request of a caller. The message names the member and never repeats its value. */
export class BadRequest extends Error {
  override name = 'BadRequest';
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new BadRequest(message);
}

function parseText(members: Members, name: string, pattern: RegExp, rule: string): string {
  const value = members[name];
  requireThat(typeof value === 'string' && pattern.test(value), `${name} must be ${rule}.`);
  return value;
}

function parseOptionalText(
  members: Members,
  name: string,
  pattern: RegExp,
  rule: string,
): string | undefined {
  return members[name] === undefined ? undefined : parseText(members, name, pattern, rule);
}

const REFERENCE = /^[\w-]{1,100}$/;
const SIMULATE = /^.{0,500}$/su;
const SHORT_TEXT = /^[\x20-\x7e]{0,100}$/;

/** Returns the text if it is a valid reference. Throws `BadRequest` otherwise. */
export function checkReference(reference: string): string {
  return parseText(
    { reference },
    'reference',
    REFERENCE,
    '1 to 100 letters, digits, dashes and underscores',
  );
}

function parseMembers(body: unknown): Members {
  requireThat(isMembers(body), 'The body must be an object.');
  return body;
}

function parseAmount({ amount }: Members): number {
  requireThat(
    typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0,
    'amount must be a whole number of minor units.',
  );
  return amount;
}

function parseCard({ card }: Members): AuthenticationRequest['card'] {
  requireThat(isMembers(card), 'card must be an object.');
  const number = parseText(card, 'number', /^\d{12,19}$/, '12 to 19 digits');
  requireThat(luhnOk(number), 'number must end in its check digit.');
  return {
    number,
    expiry_month: parseText(card, 'expiry_month', /^(?:0?[1-9]|1[0-2])$/, 'a month from 1 to 12'),
    expiry_year: parseText(card, 'expiry_year', /^\d{4}$/, 'a year of four digits'),
  };
}

const parseMoney = (members: Members) => ({
  reference: checkReference(String(members.reference ?? '')),
  amount: parseAmount(members),
  currency: parseText(members, 'currency', /^[A-Z]{3}$/, 'an ISO 4217 code'),
});

/** Parses an authentication request; throws `BadRequest`. */
export function parseAuthentication(body: unknown): AuthenticationRequest {
  const members = parseMembers(body);
  const browser = parseBrowser(members);
  return { ...parseMoney(members), card: parseCard(members), ...(browser && { browser }) };
}

const COLOR_DEPTHS: readonly unknown[] = [1, 4, 8, 15, 16, 24, 32, 48];

function parseBrowser({ browser: members }: Members): AuthenticationRequest['browser'] {
  if (members === undefined) return undefined;
  requireThat(isMembers(members), 'browser must be an object.');
  const { description } = members;
  requireThat(isMembers(description), 'description must be an object.');
  for (const name of ['accept_header', 'ip', 'user_agent', 'language']) {
    requireThat(typeof description[name] === 'string', `${name} must be a text.`);
  }
  for (const name of ['screen_height', 'screen_width', 'tz']) {
    requireThat(Number.isInteger(description[name]), `${name} must be a whole number.`);
  }
  requireThat(
    COLOR_DEPTHS.includes(description.color_depth),
    'color_depth must be one that there is.',
  );
  return {
    description: description as unknown as NonNullable<
      AuthenticationRequest['browser']
    >['description'],
    method_completion: parseText(members, 'method_completion', /^[YNU]$/, 'Y, N or U') as
      | 'Y'
      | 'N'
      | 'U',
    notification_url: parseText(members, 'notification_url', WEB_ADDRESS, 'a web address'),
    results_url: parseText(members, 'results_url', WEB_ADDRESS, 'a web address'),
    results_key: parseText(members, 'results_key', /^[\w-]{43}$/, '43 characters of base64url'),
  };
}

const WEB_ADDRESS = /^https?:\/\/[\x21-\x7e]{1,500}$/;

/** Parses a card range request; throws `BadRequest`. */
export function parseCardRange(body: unknown): CardRangeRequest {
  const members = parseMembers(body);
  return { bin: parseText(members, 'bin', /^\d{6}$/, 'six digits'), amount: parseAmount(members) };
}

/** Parses a refund or capture request; throws `BadRequest`. */
export function parseFollowUp(body: unknown): FollowUpRequest {
  const members = parseMembers(body);
  const { final } = members;
  requireThat(parseAmount(members) > 0, 'amount must be at least 1.');
  requireThat(
    final === undefined || typeof final === 'boolean',
    'final must be true, false or absent.',
  );
  return {
    ...parseMoney(members),
    ...(final !== undefined && { final }),
    ...parseSimulate(members),
  };
}

const parseSimulate = (members: Members): Pick<FollowUpRequest, 'simulate'> => {
  const simulate = parseOptionalText(members, 'simulate', SIMULATE, 'at most 500 characters');
  return simulate === undefined ? {} : { simulate };
};

/** Parses reason and partial amount of a dispute; throws `BadRequest`. */
export function parseDispute(body: unknown): DisputeRequest {
  const members = parseMembers(body);
  const { reason, amount } = members;
  requireThat(
    disputeReasons.includes(reason as DisputeReason),
    'reason must be one that there is.',
  );
  requireThat(amount === undefined || parseAmount(members) > 0, 'amount must be at least 1.');
  return {
    reason: reason as DisputeReason,
    ...(amount !== undefined && { amount: parseAmount(members) }),
  };
}

/**
 * Parses the response to a dispute: evidence, or undefined if the merchant accepts the dispute. Throws `BadRequest`.
 */
export function parseEvidence(body: unknown): string | undefined {
  const { accept, evidence, files = 0 } = parseMembers(body);
  if (accept === true) return undefined;
  requireThat(typeof evidence === 'string', 'evidence must be a text, or accept be true.');
  requireThat(Number.isSafeInteger(files), 'files must be the number of files.');
  return evidence;
}

function parseAuthenticationProof({
  authentication: members,
}: Members): AuthorisationRequest['authentication'] {
  if (members === undefined) return undefined;
  requireThat(isMembers(members), 'authentication must be an object.');
  const cavv = parseOptionalText(members, 'cavv', SHORT_TEXT, 'at most 100 characters');
  const transaction_id = parseOptionalText(
    members,
    'transaction_id',
    SHORT_TEXT,
    'at most 100 characters',
  );
  return {
    eci: parseText(members, 'eci', /^\d{2}$/, 'two digits'),
    ...(cavv !== undefined && { cavv }),
    ...(transaction_id !== undefined && { transaction_id }),
  };
}

function parseInitiation({
  initiated_by_merchant: members,
}: Members): Pick<AuthorisationRequest, 'initiated_by_merchant'> {
  if (members === undefined) return {};
  requireThat(isMembers(members), 'initiated_by_merchant must be an object.');
  const name = 'original_transaction_id';
  const original_transaction_id = parseText(
    members,
    name,
    /^\w{1,64}$/,
    '1 to 64 letters and digits',
  );
  return { initiated_by_merchant: { original_transaction_id } };
}

function parseWallet({ wallet: members }: Members): AuthorisationRequest['wallet'] {
  if (members === undefined) return undefined;
  requireThat(isMembers(members), 'wallet must be an object.');
  const cryptogram = parseOptionalText(members, 'cryptogram', SHORT_TEXT, 'at most 100 characters');
  const eci = parseOptionalText(members, 'eci', /^\d{2}$/, 'two digits');
  return {
    kind: parseText(members, 'kind', WALLET, 'apple_pay or google_pay') as WalletKind,
    ...(cryptogram !== undefined && { cryptogram }),
    ...(eci !== undefined && { eci }),
  };
}

const WALLET = /^(?:apple_pay|google_pay)$/;

function parseNetworkToken({
  network_token: members,
}: Members): AuthorisationRequest['network_token'] {
  if (members === undefined) return undefined;
  requireThat(isMembers(members), 'network_token must be an object.');
  return omitUndefined({
    cryptogram: parseOptionalText(members, 'cryptogram', SHORT_TEXT, 'at most 100 characters'),
    eci: parseOptionalText(members, 'eci', /^\d{2}$/, 'two digits'),
  });
}

/** Parses the choice in a wallet sheet; throws `BadRequest`. */
export function parseWalletSheet(body: unknown): WalletSheetRequest {
  const members = parseMembers(body);
  const parseMember = (name: string) =>
    parseOptionalText(members, name, LONG_TEXT, 'at most 200 characters');
  const optionalMembers = {
    merchant_identifier: parseMember('merchant_identifier'),
    recipient_id: parseMember('recipient_id'),
    gateway_merchant_id: parseMember('gateway_merchant_id'),
  };
  return {
    card: parseText(members, 'card', LONG_TEXT, 'at most 200 characters'),
    kind: parseText(members, 'kind', /^(?:cryptogram|pan_only)$/, 'cryptogram or pan_only') as
      | 'cryptogram'
      | 'pan_only',
    amount: parseAmount(members),
    currency: parseText(members, 'currency', /^[A-Z]{3}$/, 'an ISO 4217 code'),
    public_key: parseText(members, 'public_key', LONG_TEXT, 'at most 200 characters'),
    ...omitUndefined(optionalMembers),
  };
}

const LONG_TEXT = /^[\x20-\x7e]{1,200}$/;

/** Copies an object without its undefined members. */
const omitUndefined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;

/** Parses an authorisation request; throws `BadRequest`. */
export function parseAuthorisation(body: unknown): AuthorisationRequest {
  const members = parseMembers(body);
  const card = parseCard(members);
  const cvv = parseOptionalText(
    parseMembers(members.card),
    'cvv',
    /^\d{3,4}$/,
    'three or four digits',
  );
  const authentication = parseAuthenticationProof(members);
  const wallet = parseWallet(members);
  const network_token = parseNetworkToken(members);
  requireThat(typeof members.capture === 'boolean', 'capture must be true or false.');
  return {
    ...parseMoney(members),
    card: { ...card, ...(cvv !== undefined && { cvv }) },
    capture: members.capture,
    ...(authentication && { authentication }),
    ...parseInitiation(members),
    ...parseSimulate(members),
    ...omitUndefined({
      sent_at: parseOptionalText(members, 'sent_at', INSTANT, 'an instant of ISO 8601'),
    }),
    ...(wallet && { wallet }),
    ...(network_token && { network_token }),
    ...parseOrder(members),
  };
}

function parseOrder({ order }: Members): Pick<AuthorisationRequest, 'order'> {
  if (order === undefined) return {};
  requireThat(isMembers(order), 'order must be an object.');
  const [merchant, payment] = ['merchant', 'payment'].map((name) =>
    parseText(order, name, REFERENCE, '1 to 100 letters, digits, dashes and underscores'),
  ) as [string, string];
  return { order: { merchant, payment } };
}
