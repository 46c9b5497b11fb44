import { statfsSync } from 'node:fs';

/** Two segments of PostgreSQL's write-ahead log; recovery needs one of them. */
export const FREE_BYTES_MIN = 32 * 1024 ** 2;

/** Whether the disk of any directory has less than `FREE_BYTES_MIN` free for ordinary users. */
export const isDiskFull = (directories: readonly string[]): boolean =>
  directories.some((directory) => {
    try {
      const { bavail, bsize } = statfsSync(directory);
      return bavail * bsize < FREE_BYTES_MIN;
    } catch {
      return false;
    }
  });
