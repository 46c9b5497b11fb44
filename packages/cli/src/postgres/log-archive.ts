import { join } from 'node:path';

/**
 * Directory in which PostgreSQL leaves finished segments of its log for the backup. While it is absent, segments are
 * not kept.
 */
export const archiveDirectory = (root: string): string => join(root, 'postgres-archive');

/**
 * Command that PostgreSQL runs for a finished segment. The segment appears under its name once the disk has it all,
 * so a crash at any moment leaves no partial segment.
 */
export function archiveCommand(root: string): string {
  const directory = quoted(archiveDirectory(root));
  const file = `${directory}/%f`;
  return [
    `test -d ${directory} || exit 0`,
    `cp "%p" ${file}.new && sync ${file}.new && mv -f ${file}.new ${file} && sync ${directory}`,
  ].join('; ');
}

/** Command with which a recovery gets a segment. */
export const fetchCommand = (directory: string): string => `cp ${quoted(directory)}/%f "%p"`;

/** Quotes a path for the shell, and for PostgreSQL, which replaces %. */
const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`;
