import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PlainFailure } from './plain-failure.ts';

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, including the terminating zero. */
const SOCKET_PATH_BYTES_MAX = 103;
/** Short path that every user can enter, unlike some users' own temporary directories. */
const SHORT_ROOT = '/tmp';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Creates a private directory for Unix sockets: `preferredPath`, or a short path under /tmp if the socket's full path would
 * exceed the system's limit.
 */
export function makeSocketDirectory(
  preferredPath: string,
  socketName: string,
  owner?: Owner,
): string {
  const isShortEnough = Buffer.byteLength(join(preferredPath, socketName)) <= SOCKET_PATH_BYTES_MAX;
  const directory = isShortEnough
    ? preferredPath
    : join(SHORT_ROOT, `florin-${shortHash(preferredPath)}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stats = lstatSync(directory);
  const isTrusted = [process.getuid?.(), owner?.uid].includes(stats.uid);
  if (!stats.isDirectory() || !isTrusted || stats.mode & 0o022) {
    throw new PlainFailure(
      `${directory} must be a directory of the user of Florin that nobody else can write to. Remove it, then start again.`,
    );
  }
  // An owner of the directory could replace it with a link meanwhile, so chown runs only for a directory of another
  // user.
  if (owner && stats.uid !== owner.uid) chownSync(directory, owner.uid, owner.gid);
  return directory;
}

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);
