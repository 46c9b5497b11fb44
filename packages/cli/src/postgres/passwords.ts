import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Users of the database: an administrator, and one user per process, without access to the other's tables. */
export const DATABASE_ROLES = ['postgres', 'florin_server', 'florin_vault'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];
export type Passwords = Readonly<Record<DatabaseRole, string>>;

export const passwordsPath = (dataDir: string): string => join(dataDir, 'database-passwords.json');

/** Reads the passwords of a data directory; creates them on first use. */
export async function ensurePasswords(dataDir: string): Promise<Passwords> {
  const path = passwordsPath(dataDir);
  const newPasswords = DATABASE_ROLES.map((role) => [role, randomBytes(24).toString('base64url')]);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(Object.fromEntries(newPasswords)), { mode: 0o600 });
  try {
    // A hard link appears with its full content. If the file exists, the link fails and the file stays.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return JSON.parse(await readFile(path, 'utf8')) as Passwords;
}
