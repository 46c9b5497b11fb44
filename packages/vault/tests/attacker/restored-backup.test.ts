import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { destroyMerchant as destroyMerchantNow } from '../../src/cards/destroy.ts';
import { destroyKeks } from '../../src/cards/destroy-keks.ts';
import { openDatabase } from '../../src/store/db.ts';
import { fileNameAt, MONTHS_KEPT } from '../../src/tombstones/tombstone-file.ts';
import { useVault, type VaultContext } from '../support/use-vault.ts';
import type { TestVault } from '../support/vault.ts';

/** The attacker has an old backup of the database, and brings the vault to serve it again. */
let network: VaultContext['network'];
let vault: TestVault;
useVault((context) => {
  ({ network, vault } = context);
});

const TABLES = ['root_keys', 'keks', 'cards', 'tombstone_places'] as const;
const MONTH_MS = 31 * 24 * 60 * 60_000;

const query = (sql: string) => vault.database.query(sql);
const file = () => join(vault.config.dataDir, fileNameAt(vault.clock.now));
const countOf = (event: string) => vault.log.filter((line) => line.includes(event)).length;

beforeEach(async () => {
  await query('create schema if not exists backup');
});
afterEach(async () => {
  await query('drop schema backup cascade');
});

async function backUp(): Promise<void> {
  for (const table of TABLES) await query(`create table backup.${table} as table vault.${table}`);
}

async function restore(): Promise<void> {
  await query(
    'delete from vault.cards; delete from vault.keks; delete from vault.tombstone_places',
  );
  await query('insert into vault.root_keys table backup.root_keys on conflict do nothing');
  for (const table of TABLES.slice(1))
    await query(`insert into vault.${table} table backup.${table}`);
}

async function ingestAttached(merchant_id: string): Promise<string> {
  const { card_pan_token } = await vault.ingest({ merchant_id });
  await vault.post('/attach', { merchant_id, mode: 'sandbox', card_pan_token });
  return card_pan_token;
}

const destroyCard = (merchant_id: string, card_pan_token: string) =>
  vault.post('/destroy', { merchant_id, mode: 'sandbox', card_pan_token });
const destroyMerchant = (merchant_id: string) =>
  vault.admin('/destroy', { merchant_id, mode: 'sandbox' });

/** `answered`, or the reason for not sending. */
async function useCard(merchant_id: string, card_pan_token: string): Promise<string> {
  const request: RelayRequest = {
    id: randomUUID(),
    merchant_id,
    mode: 'sandbox',
    card_pan_token,
    consumes_cvv: false,
    method: 'POST',
    url: `${network.origin}/approve`,
    headers: {},
    body: { number: null },
    card_fields: { '/number': 'pan' },
    timeout_ms: 5_000,
    not_after: Number.MAX_SAFE_INTEGER,
  };
  const [answer] = await vault.relay(request);
  return answer?.outcome === 'not_sent' ? answer.why : (answer?.outcome ?? 'no answer');
}

describe('a restored backup', () => {
  test('brings no destroyed card and no destroyed merchant back, and every other card', async () => {
    const [destroyed, kept] = [
      await ingestAttached('merchant-a'),
      await ingestAttached('merchant-a'),
    ];
    const gone = await ingestAttached('merchant-x');
    await backUp();
    expect((await destroyCard('merchant-a', destroyed)).status).toBe(200);
    await destroyMerchant('merchant-x');
    const later = await ingestAttached('merchant-x');
    expect(await useCard('merchant-x', later)).toBe('answered');
    await restore();
    await vault.restart();
    expect(await useCard('merchant-a', destroyed)).toBe('unknown_token');
    expect(await useCard('merchant-x', gone)).not.toBe('answered');
    expect(await useCard('merchant-a', kept)).toBe('answered');
    expect(countOf('tombstones_applied')).toBe(1);
    const again = await query(
      `select actor, verb, merchant_id from vault.audit
       where outcome = 'requested: again, by tombstone' order by verb`,
    );
    expect(again).toEqual([
      { actor: 'schedule', verb: 'destroy_card', merchant_id: 'merchant-a' },
      { actor: 'schedule', verb: 'destroy_merchant', merchant_id: 'merchant-x' },
    ]);
  });

  test('brings none back after a second restore, or with a line that a crash has torn', async () => {
    const card = await ingestAttached('merchant-a');
    await backUp();
    appendFileSync(file(), '{"kind":"card","merch');
    await destroyCard('merchant-a', card);
    for (let time = 0; time < 2; time += 1) {
      await restore();
      await vault.restart();
      expect(await useCard('merchant-a', card)).toBe('unknown_token');
    }
    expect(countOf('tombstones_torn')).toBeGreaterThan(0);
  });

  test('brings no merchant back whose key another vault rotates before the tombstones are applied', async () => {
    const gone = await ingestAttached('merchant-r');
    await backUp();
    await destroyMerchant('merchant-r');
    await restore();
    vault.clock.now += 60_000;
    await vault.admin('/rotate', { key: 'kek', merchant_id: 'merchant-r' });
    expect(await useCard('merchant-r', gone)).toBe('answered');
    const entered = await ingestAttached('merchant-r');
    await query(`insert into vault.fingerprint_ids (merchant_id, mode, mark, id, used_at)
      values ('merchant-r', 'sandbox', 'mark of a card that is gone', 'id', now())`);
    await vault.restart();
    expect(await useCard('merchant-r', gone)).toBe('unknown_token');
    expect(await useCard('merchant-r', entered)).toBe('answered');
    const ids = await query(
      `select id from vault.fingerprint_ids where merchant_id = 'merchant-r'`,
    );
    expect(ids.map(({ id }) => id)).not.toContain('id');
  });

  test('does not make a merchant lose the cards of its next key', async () => {
    await ingestAttached('merchant-y');
    await destroyMerchant('merchant-y');
    const card = await ingestAttached('merchant-y');
    await vault.restart();
    expect(await useCard('merchant-y', card)).toBe('answered');
  });
});

test('a merchant that the sweeper destroys first, by its tombstone, counts as destroyed', async () => {
  await ingestAttached('merchant-z');
  await using db = await openDatabase(vault.config.databaseUrl, () => {});
  const scope = { merchant_id: 'merchant-z', mode: 'sandbox' } as const;
  const cache = { clear: () => {} };
  const outcomes: string[] = [];
  const deps = {
    db,
    keks: cache,
    fingerprints: cache,
    audit: { record: async ({ outcome }: { outcome: string }) => void outcomes.push(outcome) },
    tombstones: { add: async () => void (await destroyKeks(db, scope, vault.clock.now)) },
  };
  expect(await destroyMerchantNow(deps, scope, vault.clock.now, 'operator')).toBe(1);
  expect(outcomes).toEqual(['destroyed']);
  await expect(destroyMerchantNow(deps, scope, vault.clock.now, 'operator')).rejects.toThrow(
    'This merchant has no key in this mode.',
  );
});

describe('an attacker who destroys cards through the server', () => {
  /** The command of the page "Back up and restore". */
  const cut = (from: string) =>
    execFileSync('awk', ['-F"', '-v', `from=${from}`, '$2 != "at" || $4 < from', file()]);

  test('does not keep them destroyed, if the tombstones are cut at a time before a restore', async () => {
    const [before, attacked] = [
      await ingestAttached('merchant-a'),
      await ingestAttached('merchant-a'),
    ];
    await backUp();
    await destroyCard('merchant-a', before);
    vault.clock.now += 60_000;
    const from = new Date(vault.clock.now).toISOString();
    await destroyCard('merchant-a', attacked);
    await vault.stop();
    const rest = cut(from);
    expect(rest.toString()).not.toContain(attacked);
    writeFileSync(file(), rest);
    await restore();
    await vault.restart();
    expect(await useCard('merchant-a', before)).toBe('unknown_token');
    expect(await useCard('merchant-a', attacked)).toBe('answered');
  });
});

describe('the file of tombstones', () => {
  test('is on the disk with its name before a card is destroyed', async () => {
    const card = await ingestAttached('merchant-a');
    await using probe = await open(vault.config.dataDir);
    const handles = Object.getPrototypeOf(probe);
    const { sync } = handles;
    const synced: string[] = [];
    vi.spyOn(handles, 'sync').mockImplementation(async function (this: typeof probe) {
      synced.push((await this.stat()).isDirectory() ? 'directory' : 'file');
      return sync.call(this);
    });
    await destroyCard('merchant-a', card);
    vi.restoreAllMocks();
    expect(synced).toEqual(['file', 'directory']);
  });

  test('keeps a destroyed card while another destruction fails at the same time', async () => {
    const [refused, destroyed] = [
      await ingestAttached('merchant-a'),
      await ingestAttached('merchant-a'),
    ];
    await backUp();
    await using probe = await open(vault.config.dataDir);
    const handles = Object.getPrototypeOf(probe);
    const [isWritten, mayFail] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    vi.spyOn(handles, 'sync').mockImplementationOnce(async () => {
      isWritten.resolve();
      await mayFail.promise;
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    });
    const failing = destroyCard('merchant-a', refused);
    await isWritten.promise;
    expect((await destroyCard('merchant-a', destroyed)).status).toBe(200);
    mayFail.resolve();
    expect((await failing).status).toBe(500);
    vi.restoreAllMocks();
    await restore();
    await vault.restart();
    expect(await useCard('merchant-a', destroyed)).toBe('unknown_token');
  });

  test('is for the vault’s user only, and holds no card data', async () => {
    await destroyCard('merchant-a', await ingestAttached('merchant-a'));
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(file(), 'utf8')).not.toMatch(/4242/);
  });

  test('does not grow by tokens that nobody has', async () => {
    const before = statSync(file()).size;
    expect((await destroyCard('merchant-a', 'pan_00000000000000000000000000')).status).toBe(422);
    expect(statSync(file()).size).toBe(before);
  });

  test('is applied from its beginning if it was replaced by a shorter one', async () => {
    const [first, second] = [
      await ingestAttached('merchant-a'),
      await ingestAttached('merchant-a'),
    ];
    await backUp();
    await destroyCard('merchant-a', first);
    await vault.restart();
    rmSync(file());
    await destroyCard('merchant-a', second);
    await query('insert into vault.cards select * from backup.cards on conflict do nothing');
    await vault.restart();
    expect(await useCard('merchant-a', second)).toBe('unknown_token');
  });

  test(`goes after ${MONTHS_KEPT} months`, async () => {
    await destroyCard('merchant-a', await ingestAttached('merchant-a'));
    const path = file();
    vault.clock.now += (MONTHS_KEPT + 1) * MONTH_MS;
    await vault.restart();
    expect(() => statSync(path)).toThrow('ENOENT');
  });
});
