import { hashOfKey, type KeySettings, type StandInAccount } from '../stand-in/account-books.ts';
import { durationsOf } from '../stand-in/durations.ts';
import { type JsonMembers, membersOf, textOf } from '../stand-in/members.ts';

/** Merchant account with its settings; its name is `merchantAccount` of requests. */
export type AdyenAccount = StandInAccount<AdyenSettings>;

/** Durations in milliseconds. */
const adyenDurations = {
  /** Time from a receipt to the outcome of a capture, cancellation or refund. */
  outcome_delay_ms: 500,
  /** Time from a success to its later failure, where the cardholder's name asks for one. */
  failure_delay_ms: 24 * 60 * 60_000,
  /** Time from a payment with `Received` to its outcome. */
  pending_ms: 60_000,
  /** Time for which responses are kept for repeated idempotency keys. */
  idempotency_ms: 7 * 24 * 60 * 60_000,
  /** Time from an approval to its expiry. */
  authorisation_ms: 28 * 24 * 60 * 60_000,
  /** Time from an event to the first delivery of its notification. */
  webhook_delay_ms: 0,
};

/** Switches of an account, with their defaults. */
const switchDefaults = {
  /** Whether the key has the role for card numbers. */
  raw_cards: true,
  /** Whether an approval can be captured in several parts. */
  several_captures: false,
  /** Whether responses have `additionalData`. */
  additional_data: true,
  /** Whether the store of idempotency keys fails: error 703. */
  key_store_down: false,
  /** Whether all events of disputes name their payment. */
  dispute_references: true,
  /** Whether reports have one commission instead of markup, scheme fees and interchange. */
  blended_fees: false,
};

/** Receiver of an account's notifications. Without an address there are none. */
export interface WebhookSettings {
  readonly webhook_url?: string;
  /** Key of the signatures: 64 hexadecimal digits. */
  readonly webhook_hmac_key?: string;
  readonly webhook_username?: string;
  readonly webhook_password?: string;
}

export type AdyenSettings = Readonly<typeof adyenDurations> &
  Readonly<typeof switchDefaults> &
  WebhookSettings &
  KeySettings & {
    /** Company account: the scope of idempotency keys and stored cards. */
    readonly company: string;
  };

const API_KEY = /^[\x21-\x7e]{16,512}$/;
const NAME = /^[A-Za-z0-9_-]{1,80}$/;
/** Rule and meaning of each text of the webhook settings. */
const webhookTexts = {
  webhook_url: [/^https?:\/\/[\x21-\x7e]{1,500}$/, 'a web address'],
  webhook_hmac_key: [/^[0-9A-Fa-f]{64}$/, '64 hexadecimal digits'],
  webhook_username: [/^[^:]{1,100}$/, 'at most 100 characters without a colon'],
  webhook_password: [/^.{1,100}$/, 'at most 100 characters'],
} as const satisfies Record<keyof WebhookSettings, readonly [rule: RegExp, meaning: string]>;

/** Parses the settings of a merchant account. Returns a text that names the first invalid member. */
export function parseAdyenAccount(name: string, body: unknown): AdyenAccount | string {
  const members = membersOf(body);
  const { api_key, api_key_before, company = 'FlorinTest' } = members;
  if (!NAME.test(name)) return 'The merchant account must be letters, digits, _ or -.';
  if (typeof api_key !== 'string' || !API_KEY.test(api_key))
    return 'api_key must have 16 to 512 characters without spaces.';
  if (api_key_before !== undefined && !API_KEY.test(String(api_key_before)))
    return 'api_key_before must be an API key.';
  if (textOf(company) === undefined) return 'company must be text.';
  const durations = durationsOf(members, adyenDurations);
  if (typeof durations === 'string') return durations;
  const webhook = webhookOf(members);
  if (typeof webhook === 'string') return webhook;
  const settings = {
    ...durations,
    ...switchesOf(members),
    ...webhook,
    ...(api_key_before !== undefined && { earlierKeyHash: hashOfKey(String(api_key_before)) }),
    company: String(company),
  };
  return { name, keyHash: hashOfKey(api_key), settings };
}

function webhookOf(members: JsonMembers): WebhookSettings | string {
  const settings: Record<string, string> = {};
  for (const [name, [rule, meaning]] of Object.entries(webhookTexts)) {
    const value = members[name];
    if (value === undefined) continue;
    if (typeof value !== 'string' || !rule.test(value)) return `${name} must be ${meaning}.`;
    settings[name] = value;
  }
  return settings;
}

function switchesOf(members: JsonMembers): typeof switchDefaults {
  const switches = Object.entries(switchDefaults).map(([name, initial]) => {
    const value = members[name];
    return [name, typeof value === 'boolean' ? value : initial];
  });
  return Object.fromEntries(switches);
}
