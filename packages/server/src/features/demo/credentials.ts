import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface KeyPair {
  readonly publishable_key: string;
  readonly secret_key: string;
}

/** Keys and login of the demo merchant, which the first start creates and prints. */
export interface Credentials {
  readonly base_url: string;
  readonly dashboard_url: string;
  readonly sandbox: KeyPair;
  readonly live: KeyPair;
  /** The password is null if the account was created from another data directory. */
  readonly account: { readonly email: string; readonly password: string | null };
}

export const credentialsPath = (data_dir: string): string => join(data_dir, 'credentials.json');

/** Writes the file atomically, readable by its owner alone. */
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
