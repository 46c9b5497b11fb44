import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWhole } from '../kernel/create-whole.ts';
import { writeWhole } from '../kernel/write-whole.ts';

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
  // Commands write nothing later, so that they also work on a full disk.
  if (!existsSync(path)) await createUnlessTaken(path, newPasswords);
  const storedPasswords = JSON.parse(await readFile(path, 'utf8')) as Passwords;
  if (DATABASE_ROLES.every((role) => storedPasswords[role])) return storedPasswords;
  const passwords = { ...newPasswords, ...storedPasswords } as Passwords;
  await writeWhole(path, JSON.stringify(passwords));
  return passwords;
}

/** Creates the file. Only the first of several starts at once does. */
async function createUnlessTaken(path: string, passwords: object): Promise<void> {
  try {
    await createWhole(path, JSON.stringify(passwords));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
