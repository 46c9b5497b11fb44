import { constants, readFileSync } from 'node:fs';

const PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads a file from a directory that another user can write: does not follow links or wait for pipes. */
export const readForeign = (path: string): string =>
  readFileSync(path, { encoding: 'utf8', flag: PLAIN_FILE });
