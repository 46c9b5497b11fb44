import type { AtDatabaseOptions } from '../../commands/at-database.ts';
import { PlainFailure } from '../../kernel/plain-failure.ts';
import { takeLock } from '../../supervisor/lock.ts';
import { type BackupTarget, readTarget, stateDirectory } from '../backup-target.ts';
import { openToWrite, sealingKeyOf } from '../repository.ts';
import { addBackupKey, readBackupKey } from './backup-key.ts';

/**
 * Seals the backup with a new key from now on. Existing files stay as they are, and the old key stays beside the new one.
 * After a crash, the next run finishes. Throws `PlainFailure` before the first backup.
 */
export async function rotateBackupKey(
  isDryRun: boolean,
  { settings, print }: Pick<AtDatabaseOptions, 'settings' | 'print'>,
): Promise<number> {
  const { dataDir } = settings;
  const target = readTarget(dataDir);
  if (!target) throw new PlainFailure('There is no backup yet. Run "florin backup" first.');
  const key = readBackupKey(target.key_file);
  const isUnfinished = (await sealingKeyOf(target.directory)) !== key.fingerprint;
  if (isDryRun) {
    print(
      isUnfinished
        ? `Would finish a rotation: the backup gets the key ${key.fingerprint}.`
        : `Would put a new key before the ${key.older.length + 1} of ${target.key_file}. Existing backups would stay as they are.`,
    );
    return 0;
  }
  using _lock = await takeLock(stateDirectory(dataDir));
  const next = isUnfinished ? key : await addBackupKey(target.key_file);
  await openToWrite(target.directory, next, target.repository_id);
  print(rotatedText(target, next.fingerprint, key.fingerprint));
  return 0;
}

const rotatedText = ({ key_file }: BackupTarget, next: string, previous: string): string =>
  [
    `The backup is sealed with the key ${next} from now on.`,
    ...(next === previous
      ? []
      : [`Backups from before need the key ${previous}, which stays in ${key_file}.`]),
    `First copy ${key_file} apart from the backup, with "florin backup keys DIRECTORY". Until then, no other copy opens what is sealed from now on; older copies still restore up to the rotation. Then run "florin backup", so that a base backup has the new key.`,
  ].join('\n');
