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

function need(ok: boolean, message: string): asserts ok {
  if (!ok) throw new BadRequest(message);
}

function textAt(from: Members, name: string, pattern: RegExp, what: string): string {
  const value = from[name];
  need(typeof value === 'string' && pattern.test(value), `${name} must be ${what}.`);
  return value;
}

function optionalText(
  from: Members,
  name: string,
  pattern: RegExp,
  what: string,
): string | undefined {
  return from[name] === undefined ? undefined : textAt(from, name, pattern, what);
}

const REFERENCE = /^[\w-]{1,100}$/;
const SIMULATE = /^.{0,500}$/su;
const SHORT_TEXT = /^[\x20-\x7e]{0,100}$/;

/** Returns the text if it is a valid reference. Throws `BadRequest` otherwise. */
export function checkReference(reference: string): string {
  return textAt(
    { reference },
    'reference',
    REFERENCE,
    '1 to 100 letters, digits, dashes and underscores',
  );
}

function membersOf(body: unknown): Members {
  need(isMembers(body), 'The body must be an object.');
  return body;
}

function amountOf({ amount }: Members): number {
  need(
    typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0,
    'amount must be a whole number of minor units.',
  );
  return amount;
}

function cardOf({ card }: Members): AuthenticationRequest['card'] {
  need(isMembers(card), 'card must be an object.');
  const number = textAt(card, 'number', /^\d{12,19}$/, '12 to 19 digits');
  need(luhnOk(number), 'number must end in its check digit.');
  return {
    number,
    expiry_month: textAt(card, 'expiry_month', /^(?:0?[1-9]|1[0-2])$/, 'a month from 1 to 12'),
    expiry_year: textAt(card, 'expiry_year', /^\d{4}$/, 'a year of four digits'),
  };
}

const moneyOf = (from: Members) => ({
  reference: checkReference(String(from.reference ?? '')),
  amount: amountOf(from),
  currency: textAt(from, 'currency', /^[A-Z]{3}$/, 'an ISO 4217 code'),
});

/** Parses an authentication request; throws `BadRequest`. */
export function parseAuthentication(body: unknown): AuthenticationRequest {
  const from = membersOf(body);
  const browser = browserOf(from);
  return { ...moneyOf(from), card: cardOf(from), ...(browser && { browser }) };
}

const COLOR_DEPTHS: readonly unknown[] = [1, 4, 8, 15, 16, 24, 32, 48];

function browserOf({ browser: from }: Members): AuthenticationRequest['browser'] {
  if (from === undefined) return undefined;
  need(isMembers(from), 'browser must be an object.');
  const { description } = from;
  need(isMembers(description), 'description must be an object.');
  for (const name of ['accept_header', 'ip', 'user_agent', 'language']) {
    need(typeof description[name] === 'string', `${name} must be a text.`);
  }
  for (const name of ['screen_height', 'screen_width', 'tz']) {
    need(Number.isInteger(description[name]), `${name} must be a whole number.`);
  }
  need(COLOR_DEPTHS.includes(description.color_depth), 'color_depth must be one that there is.');
  return {
    description: description as unknown as NonNullable<
      AuthenticationRequest['browser']
    >['description'],
    method_completion: textAt(from, 'method_completion', /^[YNU]$/, 'Y, N or U') as 'Y' | 'N' | 'U',
    notification_url: textAt(from, 'notification_url', WEB_ADDRESS, 'a web address'),
    results_url: textAt(from, 'results_url', WEB_ADDRESS, 'a web address'),
  };
}

const WEB_ADDRESS = /^https?:\/\/[\x21-\x7e]{1,500}$/;

/** Parses a card range request; throws `BadRequest`. */
export function parseCardRange(body: unknown): CardRangeRequest {
  const from = membersOf(body);
  return { bin: textAt(from, 'bin', /^\d{6}$/, 'six digits'), amount: amountOf(from) };
}

/** Parses a refund or capture request; throws `BadRequest`. */
export function parseFollowUp(body: unknown): FollowUpRequest {
  const from = membersOf(body);
  need(amountOf(from) > 0, 'amount must be at least 1.');
  return { ...moneyOf(from), ...simulateOf(from) };
}

const simulateOf = (from: Members): Pick<FollowUpRequest, 'simulate'> => {
  const simulate = optionalText(from, 'simulate', SIMULATE, 'at most 500 characters');
  return simulate === undefined ? {} : { simulate };
};

/** Parses reason and partial amount of a dispute; throws `BadRequest`. */
export function parseDispute(body: unknown): DisputeRequest {
  const from = membersOf(body);
  const { reason, amount } = from;
  need(disputeReasons.includes(reason as DisputeReason), 'reason must be one that there is.');
  need(amount === undefined || amountOf(from) > 0, 'amount must be at least 1.');
  return {
    reason: reason as DisputeReason,
    ...(amount !== undefined && { amount: amountOf(from) }),
  };
}

/**
 * Parses the response to a dispute: evidence, or undefined if the merchant accepts the dispute. Throws `BadRequest`.
 */
export function parseEvidence(body: unknown): string | undefined {
  const { accept, evidence } = membersOf(body);
  if (accept === true) return undefined;
  need(typeof evidence === 'string', 'evidence must be a text, or accept be true.');
  return evidence;
}

function authenticationOf({
  authentication: from,
}: Members): AuthorisationRequest['authentication'] {
  if (from === undefined) return undefined;
  need(isMembers(from), 'authentication must be an object.');
  const cavv = optionalText(from, 'cavv', SHORT_TEXT, 'at most 100 characters');
  const transaction_id = optionalText(from, 'transaction_id', SHORT_TEXT, 'at most 100 characters');
  return {
    eci: textAt(from, 'eci', /^\d{2}$/, 'two digits'),
    ...(cavv !== undefined && { cavv }),
    ...(transaction_id !== undefined && { transaction_id }),
  };
}

function initiationOf({
  initiated_by_merchant: from,
}: Members): Pick<AuthorisationRequest, 'initiated_by_merchant'> {
  if (from === undefined) return {};
  need(isMembers(from), 'initiated_by_merchant must be an object.');
  const name = 'original_transaction_id';
  const original_transaction_id = textAt(from, name, /^\w{1,64}$/, '1 to 64 letters and digits');
  return { initiated_by_merchant: { original_transaction_id } };
}

function walletOf({ wallet: from }: Members): AuthorisationRequest['wallet'] {
  if (from === undefined) return undefined;
  need(isMembers(from), 'wallet must be an object.');
  const cryptogram = optionalText(from, 'cryptogram', SHORT_TEXT, 'at most 100 characters');
  const eci = optionalText(from, 'eci', /^\d{2}$/, 'two digits');
  return {
    kind: textAt(from, 'kind', WALLET, 'apple_pay or google_pay') as WalletKind,
    ...(cryptogram !== undefined && { cryptogram }),
    ...(eci !== undefined && { eci }),
  };
}

const WALLET = /^(?:apple_pay|google_pay)$/;

/** Parses the choice in a wallet sheet; throws `BadRequest`. */
export function parseWalletSheet(body: unknown): WalletSheetRequest {
  const from = membersOf(body);
  const textOf = (name: string) => optionalText(from, name, LONG_TEXT, 'at most 200 characters');
  const optional = {
    merchant_identifier: textOf('merchant_identifier'),
    recipient_id: textOf('recipient_id'),
    gateway_merchant_id: textOf('gateway_merchant_id'),
  };
  return {
    card: textAt(from, 'card', LONG_TEXT, 'at most 200 characters'),
    kind: textAt(from, 'kind', /^(?:cryptogram|pan_only)$/, 'cryptogram or pan_only') as
      | 'cryptogram'
      | 'pan_only',
    amount: amountOf(from),
    currency: textAt(from, 'currency', /^[A-Z]{3}$/, 'an ISO 4217 code'),
    public_key: textAt(from, 'public_key', LONG_TEXT, 'at most 200 characters'),
    ...present(optional),
  };
}

const LONG_TEXT = /^[\x20-\x7e]{1,200}$/;

/** Copies an object without its undefined members. */
const present = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;

/** Parses an authorisation request; throws `BadRequest`. */
export function parseAuthorisation(body: unknown): AuthorisationRequest {
  const from = membersOf(body);
  const card = cardOf(from);
  const cvv = optionalText(membersOf(from.card), 'cvv', /^\d{3,4}$/, 'three or four digits');
  const authentication = authenticationOf(from);
  const wallet = walletOf(from);
  need(typeof from.capture === 'boolean', 'capture must be true or false.');
  return {
    ...moneyOf(from),
    card: { ...card, ...(cvv !== undefined && { cvv }) },
    capture: from.capture,
    ...(authentication && { authentication }),
    ...initiationOf(from),
    ...simulateOf(from),
    ...present({ sent_at: optionalText(from, 'sent_at', INSTANT, 'an instant of ISO 8601') }),
    ...(wallet && { wallet }),
  };
}
