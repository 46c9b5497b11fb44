import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseTarget, stateDirectory, storeTarget } from './backup-target.ts';

let root: string;
let dataDir: string;
let repository: string;
/** Another path of the same directory. */
let link: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'florin-target-'));
  [dataDir, repository, link] = [join(root, 'data'), join(root, 'backup'), join(root, 'link')];
  for (const directory of [dataDir, repository]) mkdirSync(directory);
  symlinkSync(repository, link);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a backup that is named by another path', () => {
  it('is the same repository', async () => {
    const first = chooseTarget(dataDir, { directory: repository });
    await storeTarget(dataDir, first);
    const { repository_id } = chooseTarget(dataDir, { directory: link });
    expect(repository_id).toBe(first.repository_id);
  });

  it('does not take its own key, nor a place in the data directory', () => {
    const key_file = join(repository, 'key');
    expect(() => chooseTarget(dataDir, { directory: link, key_file })).toThrow(
      'lies in the backup',
    );
    const inside = join(root, 'inside');
    symlinkSync(dataDir, inside);
    expect(() => chooseTarget(dataDir, { directory: join(inside, 'new') })).toThrow(
      'lies in the data directory',
    );
  });
});

it.each(['', '{"directory":', 'null', '{"directory":"/mnt/backup"}'])(
  'a damaged note %j about the place of backups is named, with the next step',
  async (text) => {
    await storeTarget(dataDir, chooseTarget(dataDir, { directory: repository }));
    const path = join(stateDirectory(dataDir), 'target.json');
    writeFileSync(path, text);
    expect(() => chooseTarget(dataDir, { directory: repository })).toThrow(
      `${path} is damaged, so the place of the backups is unknown. Delete the file`,
    );
  },
);
