import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { afterAll, expect, it } from 'vitest';
import { databaseAccount } from '../src/postgres/account.ts';
import { type Cluster, writeSettings } from '../src/postgres/cluster.ts';
import { renderSettings } from '../src/postgres/settings.ts';
import { temporaryDirectory } from './support.ts';

const disk = mountSmallDisk('/tmp', { mode: '711' });
afterAll(() => disk?.[Symbol.dispose]());

const account = databaseAccount();
const binaries = { home: '/nowhere', version: '18.0', major: '18' };
const settingsOf = (socketDirectory: string) => ({ socketDirectory, root: '/srv', durable: true });

/** A cluster of the database user below `root`. */
function clusterIn(root: string): Cluster {
  chmodSync(root, 0o711);
  const cluster = join(root, 'postgres');
  mkdirSync(cluster, { mode: 0o700 });
  if (account) chownSync(cluster, account.uid, account.gid);
  return { root, cluster, dataDir: root, binaries, account };
}

const settingsIn = ({ cluster }: Cluster): string =>
  readFileSync(join(cluster, 'florin.conf'), 'utf8');

it('settings that several processes write at once are those of one of them', async () => {
  const target = clusterIn(temporaryDirectory());
  const candidates = Array.from({ length: 20 }, (_, at) => settingsOf(`/run/${at}`));
  await Promise.all(candidates.map((settings) => writeSettings(target, settings)));
  expect(candidates.map(renderSettings)).toContain(settingsIn(target));
  expect(readdirSync(target.cluster)).toEqual(['florin.conf']);
});

it.skipIf(!disk)('settings stay as they are on a full disk, and nothing is left', async () => {
  const target = clusterIn(disk?.directory ?? '');
  await writeSettings(target, settingsOf('/run/before'));
  disk?.fill();
  await expect(writeSettings(target, settingsOf('/run/after'))).rejects.toThrow(
    'florin.conf cannot be written',
  );
  expect(settingsIn(target)).toBe(renderSettings(settingsOf('/run/before')));
  expect(readdirSync(target.cluster)).toEqual(['florin.conf']);
});

it('drafts of processes that were killed a while ago are removed', async () => {
  const target = clusterIn(temporaryDirectory());
  for (const name of ['florin.conf.new', 'florin.conf.killed.new', 'florin.conf.writing.new'])
    writeFileSync(join(target.cluster, name), '');
  const before = Date.now() / 1000 - 180;
  for (const name of ['florin.conf.new', 'florin.conf.killed.new'])
    utimesSync(join(target.cluster, name), before, before);
  await writeSettings(target, settingsOf('/run'));
  expect(readdirSync(target.cluster)).toEqual(['florin.conf', 'florin.conf.writing.new']);
});
