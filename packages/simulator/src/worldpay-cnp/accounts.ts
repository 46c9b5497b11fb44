import { currencyNumbers } from '@florin/contract/currencies.ts';
import { hashOfKey, type StandInAccount } from '../stand-in/account-books.ts';
import { durationsOf } from '../stand-in/durations.ts';
import { membersOf } from '../stand-in/members.ts';

/** Merchant id with its login; its name is the merchant id. */
export type CnpAccount = StandInAccount<CnpSettings>;

/** Durations in milliseconds. */
const durationDefaults = {
  /** Time from a transaction to its response in queries: until then 152. */
  query_delay_ms: 0,
  /** Time from a capture, refund or reversal to its outcome, if the account gets receipts. */
  receipt_ms: 0,
  /** Time in which a transaction with the same type, id and card is a duplicate. */
  duplicate_ms: 2 * 24 * 60 * 60_000,
  /** Time from a sale, capture or credit to its settlement, after which it cannot be voided. */
  settle_ms: 12 * 60 * 60_000,
  /** Time from an authorisation to its expiry. */
  authorisation_ms: 7 * 24 * 60 * 60_000,
};

export type CnpSettings = Readonly<typeof durationDefaults> & {
  readonly currency: string;
  /** Whether the account may send query transactions. */
  readonly has_queries: boolean;
  /** Whether captures, refunds and reversals are answered with a receipt, code 001. */
  readonly has_receipts: boolean;
};

const MERCHANT_ID = /^\w{1,50}$/;
const LOGIN = /^[\x21-\x7e]{1,20}$/;

/** Key under which the books know a login. */
export const loginKeyOf = (user: string, password: string): string =>
  hashOfKey(`${user}\n${password}`);

/** Parses the settings of a merchant id. Returns a text that names the first invalid member. */
export function parseCnpAccount(merchantId: string, body: unknown): CnpAccount | string {
  const members = membersOf(body);
  const { user, password, currency = 'USD' } = members;
  if (!MERCHANT_ID.test(merchantId)) return 'The merchant id must have 1 to 50 letters or digits.';
  if (!isLogin(user)) return 'user must have 1 to 20 printable characters.';
  if (!isLogin(password)) return 'password must have 1 to 20 printable characters.';
  if (typeof currency !== 'string' || !currencyNumbers.has(currency))
    return 'currency must be a code of ISO 4217.';
  const durations = durationsOf(members, durationDefaults);
  if (typeof durations === 'string') return durations;
  return {
    name: merchantId,
    keyHash: loginKeyOf(user, password),
    settings: {
      ...durations,
      currency,
      has_queries: members.has_queries !== false,
      has_receipts: members.has_receipts === true,
    },
  };
}

const isLogin = (value: unknown): value is string => typeof value === 'string' && LOGIN.test(value);
