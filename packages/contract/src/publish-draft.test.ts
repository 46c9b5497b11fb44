import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { publishDraft } from './publish-draft.ts';

let directory: string;
let draft: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'florin-draft-'));
  [draft, path] = [join(directory, 'draft'), join(directory, 'file')];
  writeFileSync(draft, 'text', { mode: 0o600 });
});
afterEach(() => rmSync(directory, { recursive: true }));

const rejectWith = (code: string) => (): Promise<never> =>
  Promise.reject(Object.assign(new Error(code), { code }));

it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])(
  'a file system that refuses hard links with %s gets a copy that the disk has',
  async (code) => {
    const synced: string[] = [];
    const open = async (name: string, flags: string) => {
      const file = await fs.open(name, flags);
      return {
        sync: () => file.sync().then(() => void synced.push(name)),
        close: () => file.close(),
      };
    };
    await publishDraft({ ...fs, link: rejectWith(code), open }, draft, path);
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(synced).toEqual([path]);
  },
);

it.each(['ENOSPC', 'EIO', 'EROFS', 'EDQUOT'])(
  'a disk that fails with %s gets no copy',
  async (code) => {
    const published = publishDraft({ ...fs, link: rejectWith(code) }, draft, path);
    await expect(published).rejects.toMatchObject({ code });
    expect(readdirSync(directory)).toEqual(['draft']);
  },
);

it('a copy that the disk does not take is removed', async () => {
  const open = async (name: string, flags: string) => {
    const file = await fs.open(name, flags);
    return { sync: rejectWith('EIO'), close: () => file.close() };
  };
  const published = publishDraft({ ...fs, link: rejectWith('EPERM'), open }, draft, path);
  await expect(published).rejects.toMatchObject({ code: 'EIO' });
  expect(readdirSync(directory)).toEqual(['draft']);
});

it.each([
  ['with hard links', fs.link],
  ['without them', rejectWith('EPERM')],
])('a name that is taken keeps its file: %s', async (_name, link) => {
  writeFileSync(path, 'first');
  const published = publishDraft({ ...fs, link }, draft, path);
  await expect(published).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(path, 'utf8')).toBe('first');
});
