import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runToEnd } from './support.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');

let root: string;
let data: string;
/** A place where nobody can create a directory, root neither. */
let closed: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'florin-places-'));
  [data, closed] = [join(root, 'data'), join(root, 'closed')];
  for (const directory of [data, join(root, 'keys')]) mkdirSync(directory);
  writeFileSync(join(data, 'credentials.json'), '{}');
  writeFileSync(closed, '');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each<[string, string, () => string]>([
  ['backup BACKUP', 'backup', () => data],
  ['backup BACKUP --dry-run', 'backup', () => data],
  ['backup keys BACKUP', '', () => data],
  ['restore KEYS --keys KEYS --dry-run', 'data', () => join(closed, 'data')],
])('florin %s names a directory that its user cannot create', async (text, name, dataDir) => {
  const words = text.split(' ').map((word) => {
    if (word === 'BACKUP') return join(closed, 'backup');
    return word === 'KEYS' ? join(root, 'keys') : word;
  });
  const directory = join(closed, name);
  expect(await runToEnd([MAIN, ...words], { FLORIN_DATA: dataDir() })).toEqual({
    code: 1,
    output: expect.stringMatching(
      `^This user cannot write to the directory ${directory}. Create it as root: install -d -o \\d+ -m 700 ${directory}\n$`,
    ),
  });
});
