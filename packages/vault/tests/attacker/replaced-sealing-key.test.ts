import { generateKeyPairSync } from 'node:crypto';
import type { SealingKey } from '@florin/contract/protocol/vault.ts';
import { calculateJwkThumbprint } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSealingKeys } from '../../src/keys/sealing-keys.ts';
import { openDatabase } from '../../src/store/db.ts';
import { startTestVault, type TestVault } from '../support/vault.ts';

/** The attacker writes to the vault's database, and wants browsers to seal cards for a key of the attacker. */
let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault[Symbol.asyncDispose]());

async function createOwnKey() {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { x, y, kid: await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y }) };
}

const fetchKeys = async (): Promise<SealingKey[] | number> => {
  const { status, text } = await vault.get('/keys');
  return status === 200 ? JSON.parse(text) : status;
};
const isHealthy = async () => JSON.parse((await vault.get('/health')).text).status === 'ok';
const alarms = () => vault.log.filter((line) => line.includes('sealing_key_forged')).length;
const auditEntries = () =>
  vault.database.query(`select mode, outcome from vault.audit where verb = 'publish_seal'`);

test('operators list the keys over their own socket, to compare them with what browsers get', async () => {
  const keys = (await fetchKeys()) as SealingKey[];
  const { ok, sentences } = await vault.admin('/keys');
  expect([ok, sentences]).toEqual([true, keys.map(({ mode, kid }) => `${mode} ${kid}`)]);
});

test('a key that the attacker puts before the current one is not published, and raises one alarm', async () => {
  const genuineKeys = await fetchKeys();
  const { kid, x, y } = await createOwnKey();
  await vault.database.query(
    `insert into vault.sealing_keys (kid, mode, x, y, root_version, wrapped, created_at, active_at)
     select $1, mode, $2, $3, root_version, wrapped, created_at, active_at + interval '1 second'
     from vault.sealing_keys where mode = 'live'`,
    [kid, x, y],
  );
  vault.clock.now += 60_000;
  expect(await fetchKeys()).toEqual(genuineKeys);
  expect(await fetchKeys()).toEqual(genuineKeys);
  expect(alarms()).toBe(1);
  expect(await isHealthy()).toBe(false);
  await vault.restart();
  expect(alarms()).toBe(2);
  expect(await auditEntries()).toContainEqual({ mode: 'live', outcome: 'forged' });
  await vault.database.query('delete from vault.sealing_keys where kid = $1', [kid]);
  const keysAfterwards = await fetchKeys();
  expect(keysAfterwards).toHaveLength(2);
  expect(JSON.stringify(keysAfterwards)).not.toContain(kid);
  expect(await isHealthy()).toBe(true);
});

test('keys that an HSM does not open in time are left out without an alarm, and logged once each', async () => {
  await using db = await openDatabase(vault.config.databaseUrl, () => {});
  const events: unknown[] = [];
  const fail = () => Promise.reject(new TypeError('CKR_DEVICE_ERROR'));
  const keys = createSealingKeys({
    db,
    clock: () => vault.clock.now,
    rootKeys: { wrap: fail, unwrap: fail, isUsable: async () => false },
    audit: { enqueue: (entry) => void events.push(entry) },
    log: (event) => void events.push(event),
  });
  await keys.verify();
  await expect(keys.loadPublicKeys()).rejects.toThrow('No key of a mode can be published');
  expect(keys.hasForged()).toBe(false);
  const unreadable = { event: 'sealing_key_unreadable', fault: 'TypeError' };
  expect(events).toHaveLength(2);
  for (const mode of ['live', 'sandbox'])
    expect(events).toContainEqual(expect.objectContaining({ ...unreadable, mode }));
});

test('a key whose private half the attacker changed is not published, and raises an alarm', async () => {
  const before = alarms();
  const flip = (byte: string) =>
    vault.database.query(
      `update vault.sealing_keys set wrapped = set_byte(wrapped, 40, get_byte(wrapped, 40) # ${byte}) where mode = 'live'`,
    );
  await flip('1');
  expect(await fetchKeys()).toBe(500);
  expect(alarms()).toBe(before + 1);
  await flip('1');
  expect(await fetchKeys()).toHaveLength(2);
  expect(await isHealthy()).toBe(true);
});

test.each([
  ['coordinates', 'x = $1, y = $2'],
  ['coordinates and id', 'x = $1, y = $2, kid = $3'],
])(
  'a current key whose %s were replaced is not published, and no card is sealed for it',
  async (_name, change) => {
    const [before] = await vault.database.query(
      `select kid, x, y from vault.sealing_keys where mode = 'sandbox' and retired_at is null`,
    );
    const { kid, x, y } = await createOwnKey();
    const values = [x, y, ...(change.includes('$3') ? [kid] : [])];
    const update = (columns: string, parameters: unknown[]) =>
      vault.database.query(
        `update vault.sealing_keys set ${columns} where mode = 'sandbox'`,
        parameters,
      );
    await update(change, values);
    expect(await fetchKeys()).toBe(500);
    expect(alarms()).toBeGreaterThan(2);
    await update('x = $1, y = $2, kid = $3', [before?.x, before?.y, before?.kid]);
    expect(await fetchKeys()).toHaveLength(2);
  },
);
