import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeSocketDirectory } from '../src/kernel/socket-directory.ts';
import { databaseAccount } from '../src/postgres/account.ts';
import { type Cluster, ensureCluster, writeSettings } from '../src/postgres/cluster.ts';
import { livePostmaster } from '../src/postgres/postmaster.ts';
import { temporaryDirectory } from './support.ts';

const SECRET = 'made by somebody else';
const account = databaseAccount();
const binaries = { home: '/nowhere', version: '18.0', major: '18' };
const settings = { socketDirectory: '/run', root: '/srv', durable: true };

let target: Cluster;
let victim: string;
let statsBefore: { uid: number; mode: number };

/** A cluster of the database user, and an unrelated file. */
beforeEach(() => {
  const root = temporaryDirectory();
  chmodSync(root, 0o711);
  const cluster = join(root, 'postgres');
  mkdirSync(cluster, { mode: 0o700 });
  if (account) chownSync(cluster, account.uid, account.gid);
  target = { root, cluster, dataDir: root, binaries, account };
  victim = join(root, 'victim');
  writeFileSync(victim, SECRET, { mode: 0o600 });
  statsBefore = statSync(victim);
});

describe('a link in the cluster of the database user', () => {
  it.each(['florin.conf', 'florin.conf.new'])(
    'in place of %s leads nobody outside',
    async (name) => {
      symlinkSync(victim, join(target.cluster, name));
      await writeSettings(target, settings);
      expect(readFileSync(victim, 'utf8')).toBe(SECRET);
      expect(statSync(victim)).toMatchObject({ uid: statsBefore.uid, mode: statsBefore.mode });
      const settingsPath = join(target.cluster, 'florin.conf');
      expect(lstatSync(settingsPath).isFile()).toBe(true);
      expect(readFileSync(settingsPath, 'utf8')).toContain('listen_addresses');
      if (account) expect(statSync(settingsPath).uid).toBe(account.uid);
    },
  );

  it('in place of PG_VERSION does not reveal its target', async () => {
    symlinkSync(victim, join(target.cluster, 'PG_VERSION'));
    const failure = await ensureCluster(target, true).catch(String);
    expect(failure).toContain('PG_VERSION');
    expect(failure).not.toContain(SECRET);
  });

  it('in place of postmaster.pid is not a running server', () => {
    writeFileSync(victim, `${process.pid}\n`);
    symlinkSync(victim, join(target.cluster, 'postmaster.pid'));
    expect(livePostmaster(target.cluster)).toBeUndefined();
  });

  it('does not lead the removal of a partial cluster outside', async () => {
    const otherCluster = { ...target, cluster: join(target.root, 'other') };
    const partialPath = `${otherCluster.cluster}.new`;
    const keptPath = join(target.root, 'kept');
    for (const directory of [partialPath, keptPath]) mkdirSync(directory, { mode: 0o777 });
    writeFileSync(join(keptPath, 'file'), SECRET);
    symlinkSync(keptPath, join(partialPath, 'base'));
    if (account) chownSync(partialPath, account.uid, account.gid);
    await expect(ensureCluster(otherCluster, true)).rejects.toThrow('could not create a database');
    expect(readdirSync(partialPath)).toEqual([]);
    expect(readdirSync(keptPath)).toEqual(['file']);
  });
});

it.skipIf(!account)(
  'a socket directory that the account already owns is not transferred again',
  () => {
    const directory = join(target.root, 'socket');
    const owner = { uid: 65_533, gid: 65_533 };
    mkdirSync(directory, { mode: 0o700 });
    chownSync(directory, owner.uid, 0);
    makeSocketDirectory(directory, 's', owner);
    expect(statSync(directory).gid).toBe(0);
  },
);
