import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SHIPPED } from '../ship-log.ts';

const BACKUP_KEY = join('backup', 'key');
/** Tells a restore how far the backup reached when the keys were copied. Never restored. */
const SHIPPED_NOTE = join('backup', SHIPPED);
/** Files that are kept apart from the backup, below the data directory. Without them its cards and secrets stay shut. */
const KEPT_APART = ['secrets.key', 'vault', 'credentials.json', 'simulator', BACKUP_KEY] as const;
const SECRETS_KEY = 'secrets.key';
const ROOT_KEY = /^root(?:-\d+)?\.key$/;
const FINGERPRINT_CHARACTERS = 16;

/** Fingerprint of a key file, or of a line of `secrets.key`, which may hold several keys. */
export interface KeyFingerprint {
  readonly file: string;
  readonly fingerprint: string;
}

const fingerprintOf = (text: string): string =>
  createHash('sha256').update(text.trim()).digest('hex').slice(0, FINGERPRINT_CHARACTERS);

/** Fingerprints of the keys in a data directory, or in a copy of its keys. */
export async function fingerprintsOfKeys(directory: string): Promise<KeyFingerprint[]> {
  const secretsLines = (await readIfThere(join(directory, SECRETS_KEY))).trim().split('\n');
  const secrets = secretsLines
    .filter(Boolean)
    .map((line) => ({ file: SECRETS_KEY, fingerprint: fingerprintOf(line) }));
  const names = await readdir(join(directory, 'vault')).catch((): string[] => []);
  const roots = names
    .filter((name) => ROOT_KEY.test(name))
    .map(async (name) => {
      const file = join('vault', name);
      return { file, fingerprint: fingerprintOf(await readIfThere(join(directory, file))) };
    });
  return [...secrets, ...(await Promise.all(roots))];
}

const readIfThere = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Sentence about keys that do not fit a backup; undefined if they fit. */
export function refuseKeys(
  wanted: readonly KeyFingerprint[],
  given: readonly KeyFingerprint[],
  directory: string,
): string | undefined {
  const has = ({ file, fingerprint }: KeyFingerprint) =>
    given.some((key) => key.file === file && key.fingerprint === fingerprint);
  const secrets = wanted.filter(({ file }) => file === SECRETS_KEY);
  const roots = wanted.filter(({ file }) => file !== SECRETS_KEY);
  const lacksSecrets = secrets.length > 0 && !secrets.some(has);
  const wrongRoot = roots.find((key) => !has(key) && given.some(({ file }) => file === key.file));
  const wrong =
    (lacksSecrets && SECRETS_KEY) ||
    wrongRoot?.file ||
    (roots.length > 0 && !roots.some(has) && roots[0]?.file);
  return wrong
    ? `The keys in ${directory} do not fit the backup: ${wrong} is another one or missing. Name the copy that was made with "florin backup keys" after the last rotation before the backup.`
    : undefined;
}

/** Names of what is kept apart from a backup of a data directory, whose backup key may lie elsewhere. */
export const keptApart = (dataDir: string, backupKey?: string): string[] =>
  KEPT_APART.filter(
    (name) => existsSync(join(dataDir, name)) || (name === BACKUP_KEY && backupKey !== undefined),
  );

/** Copies what is kept apart from one directory into another, with its modes. Returns the names. */
export async function copyKeyFiles(from: string, to: string): Promise<string[]> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  await mkdir(join(to, 'backup'), { recursive: true, mode: 0o700 });
  const names = keptApart(from);
  for (const name of names)
    await cp(join(from, name), join(to, name), { recursive: true, preserveTimestamps: true });
  return names;
}

/**
 * Replaces a directory by a copy of an installation's keys, with the backup key in its usual place wherever it is kept.
 * After a crash, either the old or the new copy is there.
 */
export async function replaceKeyCopy(
  dataDir: string,
  directory: string,
  backupKey?: string,
): Promise<string[]> {
  const [partial, old] = [`${directory}.partial`, `${directory}.old`];
  if (existsSync(old) && !existsSync(directory)) await rename(old, directory);
  await rm(partial, { recursive: true, force: true });
  await rm(old, { recursive: true, force: true });
  const names = new Set(await copyKeyFiles(dataDir, partial));
  if (backupKey) {
    await cp(backupKey, join(partial, BACKUP_KEY), { preserveTimestamps: true });
    names.add(BACKUP_KEY);
  }
  if (existsSync(join(dataDir, SHIPPED_NOTE)))
    await cp(join(dataDir, SHIPPED_NOTE), join(partial, SHIPPED_NOTE));
  if (existsSync(directory)) await rename(directory, old);
  await rename(partial, directory);
  await rm(old, { recursive: true, force: true });
  return [...names];
}
