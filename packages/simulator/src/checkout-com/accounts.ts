import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type JsonMembers, membersOf, textOf } from './members.ts';

/** `key_hash`: SHA-256 of the secret key. Several channels may share a key. */
export const ACCOUNT_SCHEMA = `
  create table if not exists accounts (
    channel text primary key,
    key_hash text not null,
    settings text not null
  ) strict, without rowid;
  create index if not exists accounts_key on accounts (key_hash)`;

/** Processing channel with its settings. Durations are milliseconds. */
export interface CheckoutAccount {
  readonly channel: string;
  readonly keyHash: string;
  readonly settings: AccountSettings;
}

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

export type AccountSettings = typeof durationDefaults & {
  /** Whether a request without `processing_channel_id` is refused. */
  readonly requires_channel: boolean;
  /** Whether the account may send card numbers. Without it card payments get 403. */
  readonly full_card_details: boolean;
  readonly webhook_url?: string;
  readonly webhook_key?: string;
  /** Value of the fixed `Authorization` header of webhooks. */
  readonly webhook_authorization?: string;
};

const SECRET_KEY = /^sk_(?:sbox_)?[a-z2-7]{26}[a-z2-7*#$=]$/;
const CHANNEL = /^pc_\w{1,60}$/;
const WEB_ADDRESS = /^https?:\/\/[\x21-\x7e]{1,500}$/;
const DURATION_MS_MAX = 366 * 24 * 60 * 60_000;

const hashOf = (secretKey: string): string => createHash('sha256').update(secretKey).digest('hex');

/** Parses the settings of a channel. Returns a text that names the first invalid member. */
export function parseAccount(channel: string, body: unknown): CheckoutAccount | string {
  const members = membersOf(body);
  const { secret_key } = members;
  if (!CHANNEL.test(channel)) return 'The channel must be pc_ and letters, digits or underscores.';
  if (typeof secret_key !== 'string' || !SECRET_KEY.test(secret_key))
    return 'secret_key must be sk_sbox_ and 27 characters.';
  const { webhook_url } = members;
  if (webhook_url !== undefined && !WEB_ADDRESS.test(String(webhook_url)))
    return 'webhook_url must be a web address.';
  const durations = durationsOf(members);
  if (typeof durations === 'string') return durations;
  return { channel, keyHash: hashOf(secret_key), settings: settingsOf(members, durations) };
}

function durationsOf(members: JsonMembers): typeof durationDefaults | string {
  const durations: Record<string, number> = { ...durationDefaults };
  for (const name of Object.keys(durationDefaults)) {
    const value = members[name] ?? durations[name];
    if (typeof value !== 'number' || !(value >= 0 && value <= DURATION_MS_MAX))
      return `${name} must be milliseconds from 0 to ${DURATION_MS_MAX}.`;
    durations[name] = value;
  }
  return durations as typeof durationDefaults;
}

function settingsOf(members: JsonMembers, durations: typeof durationDefaults): AccountSettings {
  const texts = ['webhook_url', 'webhook_key', 'webhook_authorization'].flatMap((name) => {
    const text = textOf(members[name]);
    return text === undefined ? [] : [[name, text]];
  });
  return {
    ...durations,
    requires_channel: members.requires_channel === true,
    full_card_details: members.full_card_details !== false,
    ...(Object.fromEntries(texts) as Pick<AccountSettings, 'webhook_url' | 'webhook_key'>),
  };
}

/** Accounts in the books. Call `put` only inside a commit. */
export interface AccountBooks {
  put(account: CheckoutAccount): void;
  find(channel: string): CheckoutAccount | undefined;
  /** Channels that a secret key opens. */
  opened(secretKey: string): CheckoutAccount[];
}

export function createAccountBooks(db: DatabaseSync): AccountBooks {
  const upsert = db.prepare('insert or replace into accounts values (?, ?, ?)');
  const selectOne = db.prepare('select * from accounts where channel = ?');
  const selectOpened = db.prepare('select * from accounts where key_hash = ? order by channel');
  return {
    put: ({ channel, keyHash, settings }) =>
      void upsert.run(channel, keyHash, JSON.stringify(settings)),
    find(channel) {
      const row = selectOne.get(channel);
      return row && accountOf(row);
    },
    opened: (secretKey) => selectOpened.all(hashOf(secretKey)).map(accountOf),
  };
}

const accountOf = (row: Readonly<Record<string, unknown>>): CheckoutAccount => ({
  channel: String(row.channel),
  keyHash: String(row.key_hash),
  settings: JSON.parse(String(row.settings)) as AccountSettings,
});
