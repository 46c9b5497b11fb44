import { readdirSync } from 'node:fs';
import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { afterAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../../tests/support.ts';
import { ensurePasswords } from './passwords.ts';

const disk = mountSmallDisk();
afterAll(() => disk?.[Symbol.dispose]());

it('several first starts agree on the passwords', async () => {
  const directory = temporaryDirectory();
  const starts = await Promise.all([1, 2, 3].map(() => ensurePasswords(directory)));
  expect(new Set(starts.map((passwords) => JSON.stringify(passwords))).size).toBe(1);
  expect(readdirSync(directory)).toEqual(['database-passwords.json']);
});

it.runIf(disk)('known passwords can be read on a full disk', async () => {
  const { directory, fill } = disk!;
  const passwords = await ensurePasswords(directory);
  fill();
  expect(await ensurePasswords(directory)).toEqual(passwords);
  expect(readdirSync(directory).toSorted()).toEqual(['database-passwords.json', 'filler']);
});
