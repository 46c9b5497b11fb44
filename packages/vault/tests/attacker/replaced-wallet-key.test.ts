import { createHash, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWalletKeys } from '../../src/keys/wallet-keys.ts';
import { openDatabase } from '../../src/store/db.ts';
import { startTestVault, type TestVault } from '../support/vault.ts';
import { createGoogleTokenFor, fetchWalletKeys, submitToken } from '../support/wallets.ts';

/** The attacker writes to the vault's database, and wants wallets to encrypt cards for a key of the attacker. */
let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
  await fetchWalletKeys(vault);
});
afterAll(() => vault[Symbol.asyncDispose]());

function createOwnKey() {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const key_id = createHash('sha256').update(spki).digest('base64');
  return { key_id, public_key: spki.toString('base64') };
}

const isHealthy = async () => JSON.parse((await vault.get('/health')).text).status === 'ok';
const alarms = () => vault.log.filter((line) => line.includes('wallet_key_forged')).length;
const readRow = async () => {
  const [row] = await vault.database.query(
    `select key_id, public_key, created_at from vault.wallet_keys where mode = 'sandbox' and wallet = 'google_pay'`,
  );
  return row!;
};

/** The attacker's key, newer than the vault's own, with the private half of the vault. */
async function addForgedKey(): Promise<string> {
  const { key_id, public_key } = createOwnKey();
  await vault.database.query(
    `insert into vault.wallet_keys (mode, wallet, key_id, public_key, root_version, wrapped, created_at)
     select mode, wallet, $1, $2, root_version, wrapped, created_at + interval '1 second'
     from vault.wallet_keys where mode = 'sandbox' and wallet = 'google_pay'`,
    [key_id, public_key],
  );
  return key_id;
}

const removeKey = (key_id: string) =>
  vault.database.query('delete from vault.wallet_keys where key_id = $1', [key_id]);

test('a newer key of the attacker is not published, and raises one alarm', async () => {
  const genuineKeys = await fetchWalletKeys(vault);
  const key_id = await addForgedKey();
  expect(await fetchWalletKeys(vault)).toEqual(genuineKeys);
  expect(await fetchWalletKeys(vault)).toEqual(genuineKeys);
  expect(alarms()).toBe(1);
  expect(await isHealthy()).toBe(false);
  await removeKey(key_id);
  expect(await fetchWalletKeys(vault)).toEqual(genuineKeys);
  expect(await isHealthy()).toBe(true);
});

test('a key of the attacker is found at the start, before a form asks', async () => {
  const key_id = await addForgedKey();
  const before = alarms();
  await vault.restart();
  expect(alarms()).toBe(before + 1);
  expect(JSON.parse((await vault.get('/health')).text)).toMatchObject({ forged_wallet_keys: true });
  await expect
    .poll(() =>
      vault.database.query(
        `select distinct mode, outcome from vault.audit where verb = 'publish_wallet_key'`,
      ),
    )
    .toEqual([{ mode: 'sandbox', outcome: 'forged' }]);
  await removeKey(key_id);
});

test('a token is opened while a forged key is there, which the vault does not try', async () => {
  const key_id = await addForgedKey();
  const before = alarms();
  await vault.restart();
  const answer = await submitToken(vault, 'google_pay', await createGoogleTokenFor(vault));
  expect([answer.status, alarms()]).toEqual([200, before + 1]);
  await removeKey(key_id);
});

describe.each([
  ['public half', 'public_key = $1'],
  ['public half and id', 'public_key = $1, key_id = $2'],
])('a current key whose %s was replaced', (_name, change) => {
  test('is not published, opens no token, and the wallet is not offered', async () => {
    const before = await readRow();
    const raised = alarms();
    const token = await createGoogleTokenFor(vault);
    const { public_key, key_id } = createOwnKey();
    const update = (columns: string, values: unknown[]) =>
      vault.database.query(
        `update vault.wallet_keys set ${columns} where mode = 'sandbox' and wallet = 'google_pay'`,
        values,
      );
    await update(change, change.includes('$2') ? [public_key, key_id] : [public_key]);
    const { google_pay, apple_pay } = await fetchWalletKeys(vault);
    expect([google_pay, apple_pay]).toEqual([undefined, expect.anything()]);
    expect((await submitToken(vault, 'google_pay', token)).status).toBe(422);
    expect(alarms()).toBe(raised + 1);
    await update('public_key = $1, key_id = $2', [before.public_key, before.key_id]);
    expect((await fetchWalletKeys(vault)).google_pay).toBeDefined();
  });
});

test('keys that an HSM does not open in time raise no alarm, and fail a token for a later attempt', async () => {
  await using db = await openDatabase(vault.config.databaseUrl, () => {});
  const events: unknown[] = [];
  const fail = () => Promise.reject(new TypeError('CKR_DEVICE_ERROR'));
  const rootKeys = { wrap: fail, unwrap: fail, isUsable: async () => false };
  const keys = createWalletKeys({
    db,
    clock: () => vault.clock.now,
    rootKeys,
    audit: { enqueue: (entry) => void events.push(entry) },
    log: (event) => void events.push(event),
  });
  await keys.verify();
  expect(await keys.loadPublicKeys()).toEqual([]);
  expect(keys.hasForged()).toBe(false);
  await expect(keys.privateKeys('sandbox', 'google_pay')).rejects.toThrow('CKR_DEVICE_ERROR');
  const { key_id } = await readRow();
  await expect(keys.privateKey('sandbox', 'google_pay', key_id as string)).rejects.toThrow();
  expect(events).toHaveLength(2);
  expect(events).toContainEqual(
    expect.objectContaining({ event: 'wallet_key_unreadable', wallet: 'google_pay' }),
  );
});
