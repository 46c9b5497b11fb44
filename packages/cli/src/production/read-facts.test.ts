import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../tests/support.ts';
import { readFacts } from './read-facts.ts';

it.each([
  ['600', 'private'],
  ['400', 'private'],
  ['640', 'readable'],
  ['604', 'readable'],
  ['620', 'readable'],
])('secrets.key with the permissions %s is %s', async (mode, state) => {
  const FLORIN_DATA = temporaryDirectory();
  const path = join(FLORIN_DATA, 'secrets.key');
  writeFileSync(path, 'key');
  chmodSync(path, Number.parseInt(mode, 8));
  expect((await readFacts('server', { FLORIN_DATA })).secrets_file).toBe(state);
});

it('a directory without secrets.key is told apart', async () => {
  const FLORIN_DATA = temporaryDirectory();
  expect((await readFacts('server', { FLORIN_DATA })).secrets_file).toBe('absent');
});
