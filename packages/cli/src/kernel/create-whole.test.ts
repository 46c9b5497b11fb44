import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../tests/support.ts';
import { ensureBackupKey } from '../backup/keys/backup-key.ts';
import { createWhole } from './create-whole.ts';

it('creates a file that only its owner reads, and never replaces one', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'head.json');
  await createWhole(path, 'first');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(createWhole(path, 'second')).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(readdirSync(directory)).toEqual(['head.json']);
});

const disk = mountSmallDisk();
afterAll(() => disk?.[Symbol.dispose]());

describe.runIf(disk)('on a full disk', () => {
  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a file', (path) => createWhole(path, 'text')],
    ['the key of a backup', ensureBackupKey],
  ])('%s is not created in part, and is whole when it is repeated', async (name, create) => {
    const { directory, fill, free } = disk!;
    const path = join(directory, name);
    fill();
    await expect(create(path)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readdirSync(directory)).not.toContainEqual(expect.stringContaining(name));
    free();
    await create(path);
    expect(statSync(path).size).toBeGreaterThan(0);
  });
});
