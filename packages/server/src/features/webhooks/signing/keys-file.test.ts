import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { checkSecretsKeyFile, ensureSecretsKeys, readSecretsKeys } from './keys-file.ts';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());
let dir: string;
beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'florin-keys-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  dir = directory;
});

const text = (): string => randomBytes(32).toString('base64');

it('is made at the first start, readable by its owner only, and the same at the next start', async () => {
  const [key] = await ensureSecretsKeys(dir);
  expect(key).toHaveLength(32);
  expect((await stat(join(dir, 'secrets.key'))).mode & 0o777).toBe(0o600);
  expect(await readSecretsKeys(dir)).toEqual([key]);
});

it('is one key if many processes start concurrently, and no draft remains', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => ensureSecretsKeys(dir)));
  expect(new Set(all.map((keys) => keys.map(String).join()))).toHaveLength(1);
  expect(await readdir(dir)).toEqual(['secrets.key']);
});

it('is not made by a process that only reads it', async () => {
  expect(await readSecretsKeys(dir)).toBeUndefined();
  expect(await readdir(dir)).toEqual([]);
});

it('may contain older keys, the newest first', async () => {
  const lines = [text(), text()];
  await writeFile(join(dir, 'secrets.key'), `${lines.join('\n')}\n`);
  expect((await ensureSecretsKeys(dir)).map((key) => key.toString('base64'))).toEqual(lines);
});

it.each(['', 'short', `${text()}\nshort`])(
  'that contains %j prevents the start, and is not changed',
  async (content) => {
    await writeFile(join(dir, 'secrets.key'), content);
    await expect(readSecretsKeys(dir)).rejects.toThrow(/secrets\.key must hold keys of 32 bytes/);
    expect(await readFile(join(dir, 'secrets.key'), 'utf8')).toBe(content);
  },
);

const disk = mountSmallDisk();
cleanup.defer(() => disk?.[Symbol.dispose]());

it.runIf(disk)('is not made in part on a full disk, and is made by the next start', async () => {
  const { directory, fill, free } = disk!;
  fill();
  await expect(ensureSecretsKeys(directory)).rejects.toThrow(
    /secrets\.key cannot be written \(ENOSPC\)\. Free some space on its disk/,
  );
  free();
  expect(await readdir(directory)).toEqual([]);
  expect(await ensureSecretsKeys(directory)).toHaveLength(1);
});

it('that others may read prevents a start in production, and is a warning in development', async () => {
  const warnings: unknown[] = [];
  const logger = { warn: (...line: unknown[]) => void warnings.push(line.at(-1)) };
  const start = (environment: 'production' | 'development', secrets_keys?: Buffer[]) =>
    checkSecretsKeyFile(
      { data_dir: dir, environment, ...(secrets_keys && { secrets_keys }) },
      logger,
    );
  await ensureSecretsKeys(dir);
  start('production');
  const path = join(dir, 'secrets.key');
  await chmod(path, 0o644);
  start('production', [Buffer.alloc(32)]);
  expect(() => start('production')).toThrow(
    `Every user may use the key file ${path}. Run as root: chown ${process.getuid?.()} ${path} && chmod 600 ${path}.`,
  );
  expect(warnings).toEqual([]);
  start('development');
  expect(warnings).toEqual([`Every user may use the key file ${path}.`]);
});
