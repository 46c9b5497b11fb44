import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { PARTIAL, writeWhole } from '../kernel/write-whole.ts';
import { type BackupKey, keysOf } from './keys/backup-key.ts';
import { isProven, type Proofs, proofsOf } from './keys/proofs.ts';
import { SealBroken, sealed, unsealed } from './seal.ts';

/** A directory with the backups of one installation: base backups and the log after them. */
export interface Repository {
  readonly directory: string;
  readonly id: string;
  readonly key: BackupKey;
  /** Fingerprint of the key that the repository names as its sealing key. */
  readonly sealing_key: string;
  /** Whether the newest key of the file authenticates that name. Descriptions of earlier releases have no proof. */
  readonly is_proven: boolean;
}

/** Size and digest of content. */
export interface Content {
  readonly bytes: number;
  readonly sha256: string;
}

interface Description {
  readonly format: 1;
  readonly id: string;
  /** Names the key that seals. Files from before a rotation are sealed with others. */
  readonly key_fingerprint: string;
  /** Proof of these members by each key of the file, so that copies from before a rotation verify it too. */
  readonly proofs?: Proofs;
}

const DESCRIPTION = 'florin-backup.json';
const FASTEST = { level: 1 };

/** Opens a repository to read, also with a key file from before a rotation. Throws `PlainFailure` if there is none. */
export async function openRepository(directory: string, key: BackupKey): Promise<Repository> {
  const path = join(directory, DESCRIPTION);
  if (!existsSync(path))
    throw new PlainFailure(
      `${directory} holds no backup: ${DESCRIPTION} is missing. Name the directory that "florin backup" wrote to.`,
    );
  const description = parseDescription(path, await readFile(path, 'utf8'));
  const { format, id, key_fingerprint, proofs } = description;
  if (format !== 1)
    throw new PlainFailure(
      `${directory} has format ${format}, which a newer Florin wrote. Use that release.`,
    );
  const is_proven = isProven(key, proofs, described(id, key_fingerprint));
  return { directory, id, key, sealing_key: key_fingerprint, is_proven };
}

/** Whether a key file lacks the sealing key, as a copy from before a rotation does. */
export const isOutdated = ({ key, sealing_key }: Repository): boolean =>
  !keysOf(key).some(({ fingerprint }) => fingerprint === sealing_key);

/** Failure of a description that names an unknown key without proof: a person may have changed it. */
export const isNotProven = ({ directory, key }: Repository): PlainFailure =>
  new PlainFailure(
    `The key does not fit: ${join(directory, DESCRIPTION)} names a key that this file does not have, and its key ${key.fingerprint} does not confirm that. The description was changed, an earlier release wrote it, or the key is of another installation. Name the newest copy of the key file with --key, or use another copy of the backup.`,
  );

/** Failure of a key file that opens nothing, or that may not seal. */
export const keyDoesNotFit = ({ directory, key, sealing_key }: Repository): PlainFailure =>
  new PlainFailure(
    `The key does not fit: ${directory} is sealed with the key ${sealing_key}, and this is ${key.fingerprint}. Name the right file with --key: the copy from after the last rotation of the key.`,
  );

/**
 * Opens the repository with this id to write, and notes first which key seals from now on. Throws `PlainFailure` for
 * another id, which would be proven otherwise, and for a key file that lacks the noted key. A process that read the file
 * before a rotation never takes the rotation back.
 */
export async function openToWrite(
  directory: string,
  key: BackupKey,
  id: string,
): Promise<Repository> {
  const repository = await openRepository(directory, key);
  if (repository.id !== id)
    throw new PlainFailure(
      `${directory} holds the backups of another installation. Name an empty directory.`,
    );
  if (isOutdated(repository)) throw keyDoesNotFit(repository);
  if (repository.sealing_key === key.fingerprint && repository.is_proven) return repository;
  await describe(directory, repository.id, key);
  return { ...repository, sealing_key: key.fingerprint, is_proven: true };
}

/** Fingerprint of the key that seals a repository. */
export async function sealingKeyOf(directory: string): Promise<string> {
  const path = join(directory, DESCRIPTION);
  return parseDescription(path, await readFile(path, 'utf8')).key_fingerprint;
}

/** Text that a proof is about. */
const described = (id: string, key_fingerprint: string): string => `1 ${id} ${key_fingerprint}`;

function describe(directory: string, id: string, key: BackupKey): Promise<void> {
  const { fingerprint } = key;
  const proofs = proofsOf(key, described(id, fingerprint));
  const description: Description = { format: 1, id, key_fingerprint: fingerprint, proofs };
  return writeWhole(join(directory, DESCRIPTION), `${JSON.stringify(description)}\n`);
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
    return openToWrite(directory, key, id);
  }
  const foreign = (await readdir(directory)).find((name) => !name.endsWith(PARTIAL));
  if (foreign && foreign !== 'lost+found')
    throw new PlainFailure(`${directory} is not empty: it holds ${foreign}. Name an empty one.`);
  await mkdir(join(directory, 'base'), { recursive: true, mode: 0o700 });
  await mkdir(join(directory, 'wal'), { recursive: true, mode: 0o700 });
  await describe(directory, id, key);
  return { directory, id, key, sealing_key: key.fingerprint, is_proven: true };
}

export const newRepositoryId = (): string => randomUUID();

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

/** Content of a sealed file, and the fingerprint of the key that it is sealed with. */
export interface OpenedContent extends Content {
  readonly sealed_with: string;
}

/** Opens a sealed file and passes its content to `sink`. Rejects with `SealBroken` if it does not verify. */
export async function openSealed(
  { directory, id, key }: Repository,
  name: string,
  sink: NodeJS.WritableStream | ((plain: AsyncIterable<Uint8Array>) => Promise<void>),
): Promise<OpenedContent> {
  const measure = createMeasure();
  const keys = keysOf(key);
  let sealed_with = '';
  const unsealing = {
    secrets: keys.map(({ secret }) => secret),
    name: `${id}/${name}`,
    onKey: (index: number) => {
      sealed_with = keys[index]?.fingerprint ?? '';
    },
  };
  await pipeline(
    createReadStream(join(directory, name)),
    (stream) => unsealed(stream, unsealing),
    createGunzip(),
    measure.pass,
    sink,
  );
  return { ...measure.content(), sealed_with };
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

/** Whether a key of the file in hand opens the first part of a sealed file. */
export async function opens({ directory, id, key }: Repository, name: string): Promise<boolean> {
  const stream = createReadStream(join(directory, name));
  const secrets = keysOf(key).map(({ secret }) => secret);
  try {
    await unsealed(stream, { secrets, name: `${id}/${name}` }).next();
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Reads sealed JSON. Rejects with `SealBroken` if it does not verify. */
export async function readJson<T>(repository: Repository, name: string): Promise<T> {
  return (await readJsonAndKey<T>(repository, name)).value;
}

/** Reads sealed JSON, and tells with which key it is sealed. */
export async function readJsonAndKey<T>(
  repository: Repository,
  name: string,
): Promise<{ readonly value: T; readonly sealed_with: string }> {
  const parts: Uint8Array[] = [];
  const { sealed_with } = await openSealed(repository, name, async (plain) => {
    for await (const part of plain) parts.push(part);
  });
  return { value: JSON.parse(Buffer.concat(parts).toString('utf8')) as T, sealed_with };
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
