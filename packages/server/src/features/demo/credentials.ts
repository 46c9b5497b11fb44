import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface KeyPair {
  readonly publishable_key: string;
  readonly secret_key: string;
}

/** Keys and login of the demo merchant. The first start creates and prints them. */
export interface Credentials {
  readonly base_url: string;
  readonly dashboard_url: string;
  /** Null where this server has no demo shop. */
  readonly shop_url: string | null;
  readonly sandbox: KeyPair;
  readonly live: KeyPair;
  /** The password is null if another data directory's start created the account. */
  readonly account: { readonly email: string; readonly password: string | null };
}

export const credentialsPath = (data_dir: string): string => join(data_dir, 'credentials.json');

/** Writes the file atomically. Only its owner can read it. */
export async function writeCredentials(data_dir: string, credentials: Credentials): Promise<void> {
  const path = credentialsPath(data_dir);
  await writeFile(`${path}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

export async function readCredentials(data_dir: string): Promise<Credentials | undefined> {
  try {
    return JSON.parse(await readFile(credentialsPath(data_dir), 'utf8')) as Credentials;
  } catch {
    return undefined;
  }
}
