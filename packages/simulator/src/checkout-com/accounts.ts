import { hashOfKey, type KeySettings, type StandInAccount } from '../stand-in/account-books.ts';
import { durationsOf } from '../stand-in/durations.ts';
import { type JsonMembers, membersOf, textOf } from '../stand-in/members.ts';

/** Processing channel with its settings; its name is the channel. */
export type CheckoutAccount = StandInAccount<CheckoutSettings>;

/** Durations in milliseconds. */
const durationDefaults = {
  /** Time from an accepted capture, void or refund to its outcome. */
  outcome_delay_ms: 500,
  /** Time from a payment to its appearance in lists by reference. */
  list_delay_ms: 0,
  /** Time from a payment to its appearance in searches. */
  search_delay_ms: 1_000,
  /** Time for which responses are kept for repeated idempotency keys. */
  idempotency_ms: 24 * 60 * 60_000,
  /** Time from an approval to its expiry. */
  authorisation_ms: 7 * 24 * 60 * 60_000,
  /** Time from an event to the first delivery of its webhook. */
  webhook_delay_ms: 0,
};

export type CheckoutSettings = Readonly<typeof durationDefaults> &
  KeySettings & {
    /** Whether a request without `processing_channel_id` is refused. */
    readonly requires_channel: boolean;
    /** Whether the account may send card numbers. Without it card payments get 403. */
    readonly full_card_details: boolean;
    /** Lines of one file of a report; longer reports have several files. */
    readonly report_rows_max: number;
    readonly webhook_url?: string;
    readonly webhook_key?: string;
    /** Value of the fixed `Authorization` header of webhooks. */
    readonly webhook_authorization?: string;
  };

const SECRET_KEY = /^sk_(?:sbox_)?[a-z2-7]{26}[a-z2-7*#$=]$/;
const CHANNEL = /^pc_\w{1,60}$/;
const REPORT_ROWS_MAX = 1_000_000;
const WEB_ADDRESS = /^https?:\/\/[\x21-\x7e]{1,500}$/;

/** Parses the settings of a channel. Returns a text that names the first invalid member. */
export function parseAccount(channel: string, body: unknown): CheckoutAccount | string {
  const members = membersOf(body);
  const { secret_key, secret_key_before } = members;
  if (!CHANNEL.test(channel)) return 'The channel must be pc_ and letters, digits or underscores.';
  if (typeof secret_key !== 'string' || !SECRET_KEY.test(secret_key))
    return 'secret_key must be sk_sbox_ and 27 characters.';
  if (secret_key_before !== undefined && !SECRET_KEY.test(String(secret_key_before)))
    return 'secret_key_before must be a secret key.';
  const { webhook_url } = members;
  if (webhook_url !== undefined && !WEB_ADDRESS.test(String(webhook_url)))
    return 'webhook_url must be a web address.';
  if (webhook_url !== undefined && textOf(members.webhook_key) === undefined)
    return 'webhook_key must be the key that signs notifications.';
  const { report_rows_max = REPORT_ROWS_MAX } = members;
  if (!isRowLimit(report_rows_max)) return `report_rows_max must be from 1 to ${REPORT_ROWS_MAX}.`;
  const durations = durationsOf(members, durationDefaults);
  if (typeof durations === 'string') return durations;
  return {
    name: channel,
    keyHash: hashOfKey(secret_key),
    settings: { ...settingsOf(members, durations), report_rows_max },
  };
}

function settingsOf(
  members: JsonMembers,
  durations: Readonly<typeof durationDefaults>,
): Omit<CheckoutSettings, 'report_rows_max'> {
  const texts = ['webhook_url', 'webhook_key', 'webhook_authorization'].flatMap((name) => {
    const text = textOf(members[name]);
    return text === undefined ? [] : [[name, text]];
  });
  return {
    ...durations,
    requires_channel: members.requires_channel === true,
    full_card_details: members.full_card_details !== false,
    ...(members.secret_key_before !== undefined && {
      earlierKeyHash: hashOfKey(String(members.secret_key_before)),
    }),
    ...(Object.fromEntries(texts) as Pick<CheckoutSettings, 'webhook_url' | 'webhook_key'>),
  };
}

const isRowLimit = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= REPORT_ROWS_MAX;
