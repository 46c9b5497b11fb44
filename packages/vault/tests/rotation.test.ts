import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { CardDescription, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openKms } from '../src/keys/kms/open-kms.ts';
import { openRootKeys } from '../src/keys/root-keys.ts';
import { type RewrapKeysDeps, rewrapKeys } from '../src/rotation/rewrap-keys.ts';
import { openDatabase } from '../src/store/db.ts';
import { startNetwork } from './support/network.ts';
import { errorOf, startTestVault, type TestVault } from './support/vault.ts';

const NUMBER = '4242424242424242';
const CVV = '987';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let network: Awaited<ReturnType<typeof startNetwork>>;
let vault: TestVault;
beforeAll(async () => {
  network = await startNetwork();
});
beforeEach(async () => {
  network.received.length = 0;
  vault = await startTestVault([network.origin]);
  return async () => {
    await vault[Symbol.asyncDispose]();
    expect(vault.log.join('')).not.toMatch(/_failed"|not_written/);
  };
});
afterAll(() => network[Symbol.asyncDispose]());

const createAuthorisation = (
  { card_pan_token, card_cvv_token }: CardDescription,
  merchant_id = 'merchant-a',
): RelayRequest => ({
  id: randomUUID(),
  merchant_id,
  mode: 'sandbox',
  card_pan_token,
  ...(card_cvv_token && { card_cvv_token }),
  consumes_cvv: true,
  method: 'POST',
  url: `${network.origin}/approve`,
  headers: {},
  body: { number: null, cvv: null },
  card_fields: { '/number': 'pan', '/cvv': 'cvv' },
  timeout_ms: 5_000,
  not_after: Number.MAX_SAFE_INTEGER,
});

const queryRows = (sql: string, values: unknown[] = []) => vault.database.query(sql, values);
const expectEventually = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 });
/** Moves the clock, and lets the vault do its due work. */
const advanceClock = async (ms: number): Promise<void> => {
  vault.clock.now += ms;
  expect(await vault.admin('/rotate', { key: 'due' })).toMatchObject({ ok: true });
};

async function isCharged(card: CardDescription, merchantId?: string): Promise<boolean> {
  network.received.length = 0;
  const [answer] = await vault.relay(createAuthorisation(card, merchantId));
  return answer?.outcome === 'answered' && network.received[0]!.body.includes(NUMBER);
}

describe('while every key rotates', () => {
  test('#23 cards are verified and charged without a failure', async () => {
    const rotations = [
      { key: 'kek' },
      { key: 'seal', at_once: true },
      { key: 'epoch' },
      { key: 'root' },
    ];
    let isRotating = true;
    const rotationLoop = (async () => {
      let count = 0;
      for (; isRotating || count < 2 * rotations.length; count++) {
        const { ok } = await vault.admin('/rotate', rotations[count % rotations.length]);
        expect(ok).toBe(true);
      }
      return count;
    })();

    const verifyCard = async (index: number): Promise<void> => {
      const merchant_id = `merchant-${index % 5}`;
      const card = await vault.ingest({ merchant_id });
      const [answer] = await vault.relay(createAuthorisation(card, merchant_id));
      expect(answer).toMatchObject({ outcome: 'answered', status: 200 });
    };
    const workers = Array.from({ length: 5 }, async (_, worker) => {
      for (let i = 0; i < 4; i++) await verifyCard(worker + 5 * i);
    });
    await Promise.all(workers).finally(() => {
      isRotating = false;
    });
    expect(await rotationLoop).toBeGreaterThanOrEqual(2 * rotations.length);
    const bodies = network.received.map(({ body }) => JSON.parse(body));
    expect(bodies).toEqual(Array(20).fill({ number: NUMBER, cvv: CVV }));
  });
});

describe('the sealing key', () => {
  const queryKeys = () =>
    queryRows(`select kid, active_at from vault.sealing_keys where mode = 'sandbox'`);

  test('is replaced after thirty days by one that was published a day before, and opens for two days more', async () => {
    const firstKey = await vault.fetchKey('sandbox');
    await advanceClock(29 * DAY - HOUR);
    expect(await queryKeys()).toHaveLength(1);
    await advanceClock(HOUR);
    expect(await queryKeys()).toHaveLength(2);
    expect((await vault.fetchKey('sandbox')).kid).toBe(firstKey.kid);
    await advanceClock(DAY);
    expect((await vault.fetchKey('sandbox')).kid).not.toBe(firstKey.kid);

    const createLateRequest = () => vault.sealedRequest({ key: firstKey });
    await advanceClock(47 * HOUR);
    expect((await vault.post('/ingest', await createLateRequest())).status).toBe(200);
    await advanceClock(2 * HOUR);
    expect(errorOf(await vault.post('/ingest', await createLateRequest())).error).toBe(
      'sealed_card_unreadable',
    );
    await expectEventually(async () => (await queryKeys()).map(({ kid }) => kid)).not.toContain(
      firstKey.kid,
    );
  });

  test('that is rotated on request is published immediately and used a day later', async () => {
    const firstKey = await vault.fetchKey('sandbox');
    expect((await vault.admin('/rotate', { key: 'seal' })).ok).toBe(true);
    const publishedKeys = JSON.parse((await vault.get('/keys')).text) as {
      kid: string;
      mode: string;
    }[];
    expect(publishedKeys.filter(({ mode }) => mode === 'sandbox')).toHaveLength(2);
    expect((await vault.fetchKey('sandbox')).kid).toBe(firstKey.kid);
    expect((await vault.admin('/rotate', { key: 'seal' })).sentences).toEqual([
      'The next sealing keys are already published.',
    ]);
    await advanceClock(DAY);
    expect((await vault.fetchKey('sandbox')).kid).not.toBe(firstKey.kid);
  });
});

describe('the key of a merchant', () => {
  const queryVersions = async (table: 'keks' | 'cards') =>
    (
      await queryRows(
        `select distinct ${table === 'keks' ? 'version' : 'kek_version'} as version from vault.${table}
         where merchant_id = 'merchant-a' order by 1`,
      )
    ).map(({ version }) => version);

  test('is replaced after ninety days, all records are rewrapped without decrypting one, and it is deleted an hour later', async () => {
    const card = await vault.ingest();
    await vault.post('/attach', { merchant_id: 'merchant-a', mode: 'sandbox', ...card });
    const [recordBefore] = await queryRows('select ciphertext from vault.cards');
    await advanceClock(90 * DAY);
    expect(await queryVersions('cards')).toEqual([2]);
    expect(await queryRows('select ciphertext from vault.cards')).toEqual([recordBefore]);
    expect(await queryVersions('keks')).toEqual([1, 2]);
    await advanceClock(HOUR);
    expect(await queryVersions('keks')).toEqual([2]);
    expect(await isCharged(card)).toBe(true);
  });

  test('stays if a record was stored with it meanwhile, until that record is rewrapped too', async () => {
    const card = await vault.ingest();
    await vault.admin('/rotate', { key: 'kek' });
    const copyToken = 'pan_00000000000000000000000000';
    await queryRows(`update vault.keks set destroy_at = null where version = 1`);
    await queryRows(
      `insert into vault.cards select merchant_id, mode, $2, bin, last_four, brand, expiry_month, expiry_year,
         fingerprint, 1, wrapped_dek, ciphertext, created_at, now() from vault.cards where token = $1`,
      [card.card_pan_token, copyToken],
    );
    await queryRows(`update vault.keks set destroy_at = $1 where version = 1`, [
      new Date(vault.clock.now),
    ]);
    await vault.restart();
    await expectEventually(
      async () =>
        (await queryRows(`select rewrap_cursor from vault.keks where version = 2`))[0]!
          .rewrap_cursor,
    ).toBe('');
    expect(await queryVersions('keks')).toEqual([1, 2]);
  });

  test('is finished by two concurrent vaults after the rotating process crashed', async () => {
    const cards: CardDescription[] = [];
    for (let i = 0; i < 20; i++) cards.push(await vault.ingest());
    const tokens = cards.map((card) => card.card_pan_token).sort();
    await vault.admin('/rotate', { key: 'kek' });
    // The state after a process was killed halfway.
    await queryRows(
      `update vault.keks set rewrap_cursor = (select max(created_at)::text from vault.cards) || ' ' || $1 where version = 2`,
      [tokens[9]],
    );
    const results = await Promise.all([
      vault.admin('/rotate', { key: 'kek' }),
      vault.admin('/rotate', { key: 'kek' }),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    const [remainingRow] = await queryRows(
      `select count(*)::int as count from vault.cards where kek_version < (select max(version) from vault.keks)`,
    );
    expect(remainingRow).toEqual({ count: 0 });
    for (const card of cards.slice(0, 3)) expect(await isCharged(card)).toBe(true);
  });

  test('with one unreadable record rewraps the others and reports it', async () => {
    const [brokenCard, intactCard] = [await vault.ingest(), await vault.ingest()];
    await queryRows(`update vault.cards set wrapped_dek = '\\x00' where token = $1`, [
      brokenCard.card_pan_token,
    ]);
    const { sentences, ok } = await vault.admin('/rotate', { key: 'kek' });
    expect([sentences, ok]).toEqual([['merchant-a (sandbox): 1 rewrapped, 1 unreadable.'], true]);
    expect(await isCharged(intactCard)).toBe(true);
    await advanceClock(HOUR);
    expect(await queryVersions('keks')).toEqual([1, 2]);
  });
});

describe('the root key', () => {
  const listWrappingVersions = async () => {
    const tables = ['keks', 'fingerprint_keys', 'sealing_keys', 'cvv_epochs'];
    const rowsByTable = await Promise.all(
      tables.map((name) => queryRows(`select distinct root_version as version from vault.${name}`)),
    );
    return [...new Set(rowsByTable.flat().map(({ version }) => version))];
  };
  const pathOf = (name: string) => join(vault.config.dataDir, name);
  const listDestructions = async () =>
    (
      await queryRows(`select outcome from vault.audit where verb = 'destroy_root' order by seq`)
    ).map(({ outcome }) => outcome);

  test('that is rotated rewraps every key, and the cards stay readable after a restart', async () => {
    const card = await vault.ingest();
    const { sentences, ok } = await vault.admin('/rotate', { key: 'root' });
    expect(ok).toBe(true);
    expect(sentences[0]).toMatch(
      /^New keys are now wrapped with version 2 of the root key: .*root-2\.key\.$/,
    );
    expect(await listWrappingVersions()).toEqual([2]);
    await vault.restart();
    expect(await isCharged(card)).toBe(true);
  });

  test('is rotated after a year, and the previous one is destroyed thirty days later', async () => {
    await vault.ingest();
    await advanceClock(365 * DAY);
    expect(await listWrappingVersions()).toEqual([2]);
    expect(existsSync(pathOf('root.key'))).toBe(true);
    await advanceClock(30 * DAY);
    expect(existsSync(pathOf('root.key'))).toBe(false);
    expect(existsSync(pathOf('root-2.key'))).toBe(true);
  });

  test('cannot be destroyed while it wraps keys', async () => {
    await vault.ingest();
    expect(await vault.admin('/destroy', { root_version: 1 })).toMatchObject({ ok: false });
    expect(existsSync(pathOf('root.key'))).toBe(true);
  });

  test('whose destruction was interrupted by a crash is destroyed by the next process', async () => {
    await vault.ingest();
    await vault.admin('/rotate', { key: 'root' });
    await queryRows('delete from vault.root_keys where version = 1');
    await vault.restart();
    await expectEventually(() => existsSync(pathOf('root.key'))).toBe(false);
    const subject = `version 1 on ${hostname()}:${vault.config.dataDir}`;
    await expectEventually(listDestructions).toEqual([`requested: ${subject}`, subject]);
  });

  test('that wraps a key that does not open stays, without an entry, and later versions go', async () => {
    await vault.ingest();
    await queryRows(`update vault.fingerprint_keys set wrapped = 'damaged'`);
    for (const _version of [2, 3]) await vault.admin('/rotate', { key: 'root' });
    await advanceClock(30 * DAY);
    expect([existsSync(pathOf('root.key')), existsSync(pathOf('root-2.key'))]).toEqual([
      true,
      false,
    ]);
    expect(await listDestructions()).toEqual(['requested: version 2', 'version 2']);
    expect(vault.log.join('')).toContain('"event":"root_key_still_needed","version":1');
    expect(JSON.parse((await vault.get('/health')).text).root_keys.still_needed).toBe(1);
  });

  test('whose rotation was interrupted by a crash is rotated by the next process', async () => {
    const card = await vault.ingest();
    await vault.admin('/rotate', { key: 'root' });
    await queryRows('update vault.root_keys set destroy_at = null');
    const merchantId = 'merchant-b';
    await vault.ingest({ merchant_id: merchantId });
    await vault.restart();
    await expect
      .poll(
        async () =>
          (await queryRows('select destroy_at from vault.root_keys where version = 1'))[0]!
            .destroy_at,
      )
      .not.toBe(null);
    expect(await isCharged(card)).toBe(true);
  });
});

describe('a rewrapping of keys', () => {
  /** Runs the function with a rewrapping of its own, beside that of the vault. */
  async function withKeys<T>(work: (deps: Omit<RewrapKeysDeps, 'signal'>) => Promise<T>) {
    await using db = await openDatabase(vault.config.databaseUrl, () => {});
    await using kms = await openKms({ provider: 'file' }, vault.config.dataDir);
    const deps = { db, kms, clock: () => vault.clock.now };
    return await work({ ...deps, rootKeys: await openRootKeys(deps) });
  }
  const versionsToKeep = () =>
    queryRows('select version from vault.root_keys where destroy_at is null order by version');

  test('ends if somebody removed the newest version meanwhile, and keeps the version that wraps keys', async () => {
    const card = await vault.ingest();
    const count = await withKeys(({ rootKeys, ...deps }) => {
      let reads = 0;
      const current = async () => (reads++ === 0 ? 99 : rootKeys.current());
      const { signal } = new AbortController();
      return rewrapKeys({ ...deps, rootKeys: { ...rootKeys, current }, signal });
    });
    expect([count, await versionsToKeep()]).toEqual([0, [{ version: 1 }]]);
    expect(await isCharged(card)).toBe(true);
  });

  test('ends when the vault stops, and keeps the version that still wraps keys', async () => {
    await vault.ingest();
    const count = await withKeys(async (deps) => {
      await deps.rootKeys.stage();
      await queryRows(
        `insert into vault.root_keys (version, provider, fingerprint, check_value, created_at, rotate_at)
         select version, provider, fingerprint, check_value, created_at, created_at + interval '1 year'
         from vault.staged_root_keys`,
      );
      return rewrapKeys({ ...deps, signal: AbortSignal.abort() });
    });
    expect([count, await versionsToKeep()]).toEqual([0, [{ version: 1 }, { version: 2 }]]);
  });
});

describe('the key of verification values', () => {
  const queryEpochs = () =>
    queryRows(`select id from vault.cvv_epochs where mode = 'sandbox' order by opened_at`);

  test('is replaced every quarter of an hour, and deleted after two', async () => {
    await vault.ingest();
    const [firstEpoch] = await queryEpochs();
    vault.clock.now += 15 * MINUTE;
    await vault.ingest();
    expect(await queryEpochs()).toHaveLength(2);
    vault.clock.now += 15 * MINUTE;
    await vault.restart();
    await expectEventually(queryEpochs).not.toContainEqual(firstEpoch);
    expect(await queryEpochs()).toHaveLength(1);
  });

  test('deletes the values that were sealed with it', async () => {
    const card = await vault.ingest();
    await queryRows('delete from vault.cvv_epochs');
    expect(await queryRows('select token from vault.cvvs')).toEqual([]);
    expect(await isCharged(card)).toBe(true);
  });
});

test('an unknown key name is refused with the list of names, and the server’s socket accepts no command', async () => {
  expect(await vault.admin('/rotate', { key: 'everything' })).toEqual({
    sentences: ['key must be seal, kek, root, epoch or due.'],
    ok: false,
  });
  expect((await vault.post('/rotate', { key: 'root' })).status).toBe(404);
});

test('a rotation of keys of an unknown mode is refused', async () => {
  expect(await vault.admin('/rotate', { key: 'kek', mode: 'Live' })).toEqual({
    sentences: ['mode must be live or sandbox.'],
    ok: false,
  });
});
