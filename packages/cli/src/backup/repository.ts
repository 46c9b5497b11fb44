import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { syncDirectory } from '../kernel/sync-directory.ts';
import type { BackupKey } from './backup-key.ts';
import { sealed, unsealed } from './seal.ts';

/** A directory with the backups of one installation: base backups and the log after them. */
export interface Repository {
  readonly directory: string;
  readonly id: string;
  readonly key: BackupKey;
}

/** Size and digest of content. */
export interface Content {
  readonly bytes: number;
  readonly sha256: string;
}

interface Description {
  readonly format: 1;
  readonly id: string;
  readonly key_fingerprint: string;
}

const DESCRIPTION = 'florin-backup.json';
const FASTEST = { level: 1 };
/** Suffix of what is being written. Names without it are complete. */
export const PARTIAL = '.partial';

/** Opens a repository. Throws `PlainFailure` if there is none, or if the key does not fit. */
export async function openRepository(directory: string, key: BackupKey): Promise<Repository> {
  const path = join(directory, DESCRIPTION);
  if (!existsSync(path))
    throw new PlainFailure(
      `${directory} holds no backup: ${DESCRIPTION} is missing. Name the directory that "florin backup" wrote to.`,
    );
  const { format, id, key_fingerprint } = parseDescription(path, await readFile(path, 'utf8'));
  if (format !== 1)
    throw new PlainFailure(
      `${directory} has format ${format}, which a newer Florin wrote. Use that release.`,
    );
  if (key_fingerprint !== key.fingerprint)
    throw new PlainFailure(
      `The key does not fit: ${directory} is sealed with the key ${key_fingerprint}, and this is ${key.fingerprint}. Name the right file with --key.`,
    );
  return { directory, id, key };
}

function parseDescription(path: string, text: string): Description {
  try {
    return JSON.parse(text) as Description;
  } catch (cause) {
    throw new PlainFailure(`${path} is damaged. Copy it from another copy of the backup.`, {
      cause,
    });
  }
}

/** Creates a repository with this id, or opens it if it exists. Throws `PlainFailure` for one of another id. */
export async function ensureRepository(
  directory: string,
  key: BackupKey,
  id: string,
): Promise<Repository> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (existsSync(join(directory, DESCRIPTION))) {
    const repository = await openRepository(directory, key);
    if (repository.id === id) return repository;
    throw new PlainFailure(
      `${directory} holds the backups of another installation. Name an empty directory.`,
    );
  }
  const foreign = (await readdir(directory)).find((name) => !name.endsWith(PARTIAL));
  if (foreign && foreign !== 'lost+found')
    throw new PlainFailure(`${directory} is not empty: it holds ${foreign}. Name an empty one.`);
  await mkdir(join(directory, 'base'), { recursive: true, mode: 0o700 });
  await mkdir(join(directory, 'wal'), { recursive: true, mode: 0o700 });
  const description: Description = { format: 1, id, key_fingerprint: key.fingerprint };
  await writeWhole(join(directory, DESCRIPTION), `${JSON.stringify(description)}\n`);
  return { directory, id, key };
}

export const newRepositoryId = (): string => randomUUID();

/** Writes a file under a temporary name and renames it last. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}${PARTIAL}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Path and sealed name of a file. Path and name differ inside an unfinished base backup. */
interface Place {
  readonly path: string;
  readonly name: string;
}

/** Compresses and seals content into a file of the repository, under a temporary name first. */
export async function storeSealed(
  { id, key }: Repository,
  { path, name }: Place,
  plain: AsyncIterable<Uint8Array>,
): Promise<Content> {
  const measure = createMeasure();
  const sealing = { secret: key.secret, name: `${id}/${name}` };
  const draft = `${path}.${process.pid}${PARTIAL}`;
  try {
    await pipeline(
      measure.pass(plain),
      createGzip(FASTEST),
      (compressed) => sealed(compressed, sealing),
      createWriteStream(draft, { mode: 0o600, flush: true }),
    );
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return measure.content();
}

/** Opens a sealed file and passes its content to `sink`. Rejects with `SealBroken` if it does not verify. */
export async function openSealed(
  { directory, id, key }: Repository,
  name: string,
  sink: NodeJS.WritableStream | ((plain: AsyncIterable<Uint8Array>) => Promise<void>),
): Promise<Content> {
  const measure = createMeasure();
  const sealing = { secret: key.secret, name: `${id}/${name}` };
  await pipeline(
    createReadStream(join(directory, name)),
    (stream) => unsealed(stream, sealing),
    createGunzip(),
    measure.pass,
    sink,
  );
  return measure.content();
}

/** Sink that discards content, to verify it. */
export const discard = async (plain: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _part of plain);
};

/** Stores a value as sealed JSON. */
export async function storeJson(
  repository: Repository,
  name: string,
  value: unknown,
  path = join(repository.directory, name),
): Promise<void> {
  async function* text() {
    yield Buffer.from(JSON.stringify(value));
  }
  await storeSealed(repository, { path, name }, text());
}

/** Reads sealed JSON. Rejects with `SealBroken` if it does not verify. */
export async function readJson<T>(repository: Repository, name: string): Promise<T> {
  const parts: Uint8Array[] = [];
  await openSealed(repository, name, async (plain) => {
    for await (const part of plain) parts.push(part);
  });
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as T;
}

function createMeasure() {
  const digest = createHash('sha256');
  let bytes = 0;
  return {
    async *pass(stream: AsyncIterable<Uint8Array>) {
      for await (const part of stream) {
        digest.update(part);
        bytes += part.length;
        yield part;
      }
    },
    content: (): Content => ({ bytes, sha256: digest.digest('hex') }),
  };
}
