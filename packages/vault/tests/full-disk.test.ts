import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVault } from '../src/app.ts';
import { appendTombstone, fileNameAt, readTombstones } from '../src/tombstones/tombstone-file.ts';
import { createMigratedDatabase } from './support/postgres.ts';
import { startTestVault, type TestVault } from './support/vault.ts';

const disk = mountSmallDisk();
afterAll(() => disk?.[Symbol.dispose]());

const FULL = expect.stringMatching(
  /^The disk of the vault's keys is full \(ENOSPC\)\. Free some space, then repeat the command\./,
);

describe.runIf(disk)('on a full disk', () => {
  const directory = disk?.directory ?? '';
  const [fill, free] = [() => disk?.fill(), () => disk?.free()];
  const dataDir = join(directory, 'data');
  const scope = { merchant_id: 'merchant-a', mode: 'sandbox' };
  let vault: TestVault;
  beforeAll(async () => {
    vault = await startTestVault([], { dataDir });
  });
  beforeEach(() => fill());
  afterEach(() => free());
  afterAll(() => vault?.[Symbol.asyncDispose]());

  const readRows = (sql: string) => vault.database.query(sql, []);
  const describeCard = async (card_pan_token: string) =>
    (await vault.post('/describe', { ...scope, card_pan_token })).status;

  test('a rotation of the root key creates nothing, and works when it is repeated', async () => {
    const { card_pan_token } = await vault.ingest();
    expect(await vault.admin('/rotate', { key: 'root' })).toEqual({ ok: false, sentences: [FULL] });
    expect(readdirSync(dataDir)).toEqual(['root.key']);
    expect(await readRows('select version from vault.staged_root_keys')).toEqual([]);
    free();
    expect(await vault.admin('/rotate', { key: 'root' })).toMatchObject({ ok: true });
    expect(readdirSync(dataDir)).toEqual(['root-2.key', 'root.key']);
    await vault.restart();
    expect(await describeCard(card_pan_token)).toBe(200);
  });

  test('a replaced root key is destroyed, which needs no space', async () => {
    expect(await vault.admin('/destroy', { root_version: 1 })).toMatchObject({ ok: true });
    expect(existsSync(join(dataDir, 'root.key'))).toBe(false);
  });

  test('a card stays, whoever destroys it, and the destruction works when it is repeated', async () => {
    const { card_pan_token } = await vault.ingest();
    const card = { ...scope, card_pan_token };
    expect(await vault.admin('/destroy', card)).toEqual({ ok: false, sentences: [FULL] });
    expect((await vault.post('/destroy', card)).status).toBe(500);
    expect(await describeCard(card_pan_token)).toBe(200);
    free();
    expect(await vault.admin('/destroy', card)).toMatchObject({ ok: true });
    expect(await describeCard(card_pan_token)).toBe(422);
  });

  test('the cards of a merchant stay', async () => {
    const { card_pan_token } = await vault.ingest();
    // A file with space in its last block takes a few tombstones on a full disk.
    const tombstones = join(dataDir, fileNameAt(vault.clock.now));
    free();
    writeFileSync(tombstones, '\n'.repeat(4096));
    fill();
    expect(await vault.admin('/destroy', scope)).toEqual({ ok: false, sentences: [FULL] });
    expect(await describeCard(card_pan_token)).toBe(200);
    free();
    expect(await vault.admin('/destroy', scope)).toMatchObject({ ok: true });
    expect(await describeCard(card_pan_token)).toBe(422);
  });

  test('a tombstone of which only a part fits is none, also after the next one', async () => {
    const now = Date.parse('2027-02-01T00:00:00Z');
    const path = join(directory, fileNameAt(now));
    const tombstone = { kind: 'card', merchant_id: 'merchant-a', mode: 'sandbox' } as const;
    free();
    await appendTombstone(directory, { ...tombstone, token: 'pan_refused' }, now);
    const { size } = statSync(path);
    // The line fits without its end: the next tombstone must not complete it.
    writeFileSync(path, '\n'.repeat(4096 - size + 1));
    fill();
    await expect(
      appendTombstone(directory, { ...tombstone, token: 'pan_refused' }, now),
    ).rejects.toThrow('ENOSPC');
    expect(statSync(path).size).toBe(4096);
    free();
    await appendTombstone(directory, { ...tombstone, token: 'pan_later' }, now);
    expect(await readTombstones(path, 0)).toMatchObject({
      tombstones: [{ token: 'pan_later' }],
      torn: 1,
    });
  });

  test('a first start leaves no key, and works when it is repeated', async () => {
    const database = await createMigratedDatabase();
    const config = {
      socketPath: join(vault.config.dataDir, '..', 'first.sock'),
      databaseUrl: database.url,
      dataDir: join(directory, 'first'),
      egress: [],
      log_level: 'silent',
    };
    await expect(createVault(config)).rejects.toThrow('ENOSPC');
    expect(readdirSync(config.dataDir)).toEqual([]);
    free();
    await (await createVault(config))[Symbol.asyncDispose]();
    expect(readdirSync(config.dataDir)).toEqual(['root.key']);
    await database.drop();
  });
});
