import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeTarget } from '../src/backup/backup-target.ts';
import { ensureBackupKey } from '../src/backup/keys/backup-key.ts';
import { runToEnd } from './support.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');

let root: string;
let data: string;
let elsewhere: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'florin-backup-keys-'));
  [data, elsewhere] = [join(root, 'data'), join(root, 'stick', 'key')];
  mkdirSync(data);
  writeFileSync(join(data, 'secrets.key'), 'secret');
  writeFileSync(join(data, 'credentials.json'), '{}');
  await ensureBackupKey(elsewhere);
  const directory = join(root, 'repository');
  await storeTarget(data, { directory, key_file: elsewhere, repository_id: 'repository-1' });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const copyKeys = () =>
  runToEnd([MAIN, 'backup', 'keys', join(root, 'safe')], { FLORIN_DATA: data });

describe('florin backup keys', () => {
  it('copies a key file that --key put elsewhere, and keeps the copy when that file is away', async () => {
    const copy = join(root, 'safe', 'backup', 'key');
    const result = await copyKeys();
    expect(result).toEqual({ code: 0, output: expect.stringContaining('backup/key into') });
    const text = readFileSync(elsewhere, 'utf8');
    expect(readFileSync(copy, 'utf8')).toBe(text);

    rmSync(elsewhere);
    expect(await copyKeys()).toEqual({ code: 1, output: expect.stringContaining(elsewhere) });
    expect(readFileSync(copy, 'utf8')).toBe(text);
  });
});
