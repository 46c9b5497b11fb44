import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Users of the database: an administrator, the owner of all tables, and one user per process. */
export const DATABASE_ROLES = [
  'postgres',
  'florin_owner',
  'florin_server',
  'florin_vault',
] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];
export type Passwords = Readonly<Record<DatabaseRole, string>>;

export const passwordsPath = (dataDir: string): string => join(dataDir, 'database-passwords.json');

/** Reads the passwords of a data directory. Creates them on first use, and those of users that an earlier version lacked. */
export async function ensurePasswords(dataDir: string): Promise<Passwords> {
  const path = passwordsPath(dataDir);
  const newPasswords = Object.fromEntries(
    DATABASE_ROLES.map((role) => [role, randomBytes(24).toString('base64url')]),
  );
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(newPasswords), { mode: 0o600 });
  try {
    // A hard link appears with its full content. If the file exists, the link fails and the file stays.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const storedPasswords = JSON.parse(await readFile(path, 'utf8')) as Passwords;
  if (DATABASE_ROLES.every((role) => storedPasswords[role])) return storedPasswords;
  const passwords = { ...newPasswords, ...storedPasswords } as Passwords;
  await writeFile(draft, JSON.stringify(passwords), { mode: 0o600 });
  await rename(draft, path);
  return passwords;
}
