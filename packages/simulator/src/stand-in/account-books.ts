import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** `key_hash`: SHA-256 of the secret key. Several accounts may share a key. `settings` have the hash of an earlier one. */
export const ACCOUNT_SCHEMA = `
  create table if not exists account_settings (
    name text primary key,
    key_hash text not null,
    settings text not null
  ) strict, without rowid;
  create index if not exists account_settings_key on account_settings (key_hash);
  create index if not exists account_settings_earlier_key
    on account_settings (settings ->> 'earlierKeyHash')`;

/** Settings that all stand-ins have. */
export interface KeySettings {
  /** Hash of the key before a rotation, which still opens the account. */
  readonly earlierKeyHash?: string;
}

/** Account at a stand-in. The processor decides what an account is and which settings it has. */
export interface StandInAccount<Settings> {
  readonly name: string;
  readonly keyHash: string;
  readonly settings: Settings;
}

/**
 * Accounts in the books. Call `put` only inside a commit. Refused keys are held in memory: a restart accepts them
 * again.
 */
export interface AccountBooks<Settings> {
  /** Creates or replaces an account, whose key is then accepted. */
  put(account: StandInAccount<Settings>): void;
  find(name: string): StandInAccount<Settings> | undefined;
  /** Accounts that a secret key opens, by name. */
  opened(secretKey: string): StandInAccount<Settings>[];
  /** Refuses the account's keys until `put` or `acceptKeys`, as if they were revoked. */
  refuseKeys(name: string): void;
  acceptKeys(): void;
  areKeysRefused(name: string): boolean;
}

/** Hash under which the books know a secret key. */
export const hashOfKey = (secretKey: string): string =>
  createHash('sha256').update(secretKey).digest('hex');

export function createAccountBooks<Settings>(db: DatabaseSync): AccountBooks<Settings> {
  const upsert = db.prepare('insert or replace into account_settings values (?, ?, ?)');
  const selectOne = db.prepare('select * from account_settings where name = ?');
  const selectOpened = db.prepare(
    `select * from account_settings where key_hash = ?1 or settings ->> 'earlierKeyHash' = ?1
     order by name`,
  );
  const refusedNames = new Set<string>();
  const accountOf = (row: Readonly<Record<string, unknown>>): StandInAccount<Settings> => ({
    name: String(row.name),
    keyHash: String(row.key_hash),
    settings: JSON.parse(String(row.settings)) as Settings,
  });
  return {
    put({ name, keyHash, settings }) {
      upsert.run(name, keyHash, JSON.stringify(settings));
      refusedNames.delete(name);
    },
    find(name) {
      const row = selectOne.get(name);
      return row && accountOf(row);
    },
    opened: (secretKey) =>
      selectOpened
        .all(hashOfKey(secretKey))
        .map(accountOf)
        .filter(({ name }) => !refusedNames.has(name)),
    refuseKeys: (name) => void refusedNames.add(name),
    acceptKeys: () => refusedNames.clear(),
    areKeysRefused: (name) => refusedNames.has(name),
  };
}
