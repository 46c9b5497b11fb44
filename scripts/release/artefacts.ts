import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** File with the checksums of a release, in the format of `sha256sum`. */
export const CHECKSUMS = 'SHA256SUMS';

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Writes the checksums of all other files of a directory, so that `sha256sum -c` can compare them. */
export async function writeChecksums(directory: string): Promise<void> {
  const names = readdirSync(directory).filter((name) => name !== CHECKSUMS);
  const lines = await Promise.all(
    names.sort().map(async (name) => `${await hashOf(join(directory, name))}  ${name}\n`),
  );
  writeFileSync(join(directory, CHECKSUMS), lines.join(''));
}

/**
 * Arguments of GNU tar for an archive that depends on the files alone: the same commit gives the same bytes.
 * @param seconds time of every file, in seconds since 1970
 */
export const archiveArguments = (archive: string, folder: string, seconds: number): string[] => [
  ...['--create', '--gzip', `--file=${archive}`],
  ...['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner'],
  ...['--mode=u=rwX,go=rX', '--format=ustar'],
  folder,
];
