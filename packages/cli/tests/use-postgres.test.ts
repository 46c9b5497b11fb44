import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../src/database/client.ts';
import { livePostmaster } from '../src/postgres/postmaster.ts';
import {
  type Postgres,
  type RunningPostgres,
  startPostgres,
} from '../src/postgres/start-postgres.ts';
import { usePostgres } from '../src/postgres/use-postgres.ts';
import { takeLock } from '../src/supervisor/lock.ts';

const WAIT_MS = 500;

let dataDir: string;
let postgres: Postgres;
/** An installation whose PostgreSQL is stopped. */
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'florin-cli-'));
  postgres = await startPostgres({ dataDir });
  await postgres.stop();
});
afterAll(async () => {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const disk = mountSmallDisk('/tmp', { mode: '711' });
afterAll(() => disk?.[Symbol.dispose]());

const isAlive = (): boolean => livePostmaster(postgres.directory) !== undefined;
const ask = (running: RunningPostgres) =>
  withClient(running.url('postgres'), (client) => client.query('select 1'));

describe('a command beside a running Florin', () => {
  it('starts no PostgreSQL, and says whose does not run', async () => {
    using _florin = await takeLock(dataDir);
    await expect(usePostgres(dataDir, ask, WAIT_MS)).rejects.toThrow(
      `PostgreSQL of the running Florin took no connections for 0.5 s. Read the messages of that Florin, and ${join(postgres.root, 'postgres-start.log')}.`,
    );
    expect(isAlive()).toBe(false);
  });

  it.skipIf(!disk)('says that the disk is full', async () => {
    const directory = disk?.directory ?? '';
    using _florin = await takeLock(directory);
    await expect(usePostgres(directory, ask, 0)).rejects.toThrow(
      `The disk of ${directory} is full: free some space, and Florin starts it again.`,
    );
  });

  it('waits until that Florin has started PostgreSQL, and lets it run', async () => {
    using _florin = await takeLock(dataDir);
    const asking = usePostgres(dataDir, ask);
    await sleep(WAIT_MS);
    const restarted = await startPostgres({ dataDir });
    expect(restarted.attached).toBe(false);
    expect((await asking).rowCount).toBe(1);
    expect(isAlive()).toBe(true);
    await restarted.stop();
  });

  it('runs PostgreSQL itself once that Florin has ended', async () => {
    const florin = await takeLock(dataDir);
    const asking = usePostgres(dataDir, ask);
    await sleep(WAIT_MS);
    florin[Symbol.dispose]();
    expect((await asking).rowCount).toBe(1);
    expect(isAlive()).toBe(false);
  });
});
