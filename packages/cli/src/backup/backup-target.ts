import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { realPath } from '../kernel/real-path.ts';
import { writeWhole } from '../kernel/write-whole.ts';
import { newRepositoryId } from './repository.ts';

/** Where an installation keeps its backups. */
export interface BackupTarget {
  readonly directory: string;
  readonly key_file: string;
  /** Id of the repository, so that two installations never share one. */
  readonly repository_id: string;
}

/** Directory of an installation's own notes about its backups. */
export const stateDirectory = (dataDir: string): string => join(dataDir, 'backup');

const targetPath = (dataDir: string): string => join(stateDirectory(dataDir), 'target.json');

/** Where the key is created unless `--key` names another place. */
export const defaultKeyFile = (dataDir: string): string => join(stateDirectory(dataDir), 'key');

/** Where the installation keeps its backups; undefined before the first backup. Throws `PlainFailure` for a damaged note. */
export function readTarget(dataDir: string): BackupTarget | undefined {
  const path = targetPath(dataDir);
  if (!existsSync(path)) return undefined;
  const target = parsed(readFileSync(path, 'utf8'));
  if (target) return target;
  throw new PlainFailure(
    `${path} is damaged, so the place of the backups is unknown. Delete the file, then begin a backup in an empty directory: florin backup DIRECTORY. Earlier backups stay as they are, and need their key.`,
  );
}

const NAMES = ['directory', 'key_file', 'repository_id'] as const;

function parsed(text: string): BackupTarget | undefined {
  try {
    const target = JSON.parse(text) as BackupTarget | null;
    return NAMES.every((name) => typeof target?.[name] === 'string')
      ? (target as never)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Names that a command line gives. */
export interface TargetChoice {
  readonly directory?: string | undefined;
  readonly key_file?: string | undefined;
}

/**
 * Decides where to keep backups: the named directory, or that of the previous backup. Throws `PlainFailure` without
 * one, or if the key would lie in the backup or the backup in the data directory.
 */
export function chooseTarget(dataDir: string, choice: TargetChoice): BackupTarget {
  const previous = readTarget(dataDir);
  const directory = choice.directory ? resolve(choice.directory) : previous?.directory;
  if (!directory)
    throw new PlainFailure(
      'Name a directory for the first backup, on another disk than the data: florin backup /mnt/backup/florin',
    );
  const key_file = resolve(choice.key_file ?? previous?.key_file ?? defaultKeyFile(dataDir));
  if (isWithin(key_file, directory))
    throw new PlainFailure(
      `The key ${key_file} lies in the backup ${directory}. Keep it elsewhere: --key FILE.`,
    );
  if (isWithin(directory, resolve(dataDir)))
    throw new PlainFailure(
      `${directory} lies in the data directory ${dataDir}, and would be lost with it. Name another directory.`,
    );
  const isSame = previous && realPath(previous.directory) === realPath(directory);
  const repository_id = isSame ? previous.repository_id : newRepositoryId();
  return { directory, key_file, repository_id };
}

/** Whether a path lies in a directory, or is it. Both may lead there by symbolic links. */
export function isWithin(path: string, directory: string): boolean {
  const [inner, outer] = [realPath(path), realPath(directory)];
  return inner === outer || inner.startsWith(outer + sep);
}

export async function storeTarget(dataDir: string, target: BackupTarget): Promise<void> {
  await mkdir(stateDirectory(dataDir), { recursive: true, mode: 0o700 });
  await writeWhole(targetPath(dataDir), `${JSON.stringify(target)}\n`);
}

export const removeTarget = (dataDir: string): Promise<void> =>
  rm(targetPath(dataDir), { force: true });
