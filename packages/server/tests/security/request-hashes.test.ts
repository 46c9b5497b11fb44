import { describe, expect, it } from 'vitest';
import { createHashStep, keyHashes } from '../../src/features/secrets/key-hashes.ts';
import { contentDigest } from '../../src/jsonapi/request-hash.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { useOwnStack } from '../support/api.ts';
import { openSecret } from '../support/instance-secrets.ts';
import { makeCustomer } from '../support/make.ts';

const api = useOwnStack();
const KEY = 'renamed by an earlier version';

const rename = (id: string, name: string) =>
  api.client.send(
    'PATCH',
    `/v2/customers/${id}`,
    { data: { type: 'customers', id, attributes: { name } } },
    { 'idempotency-key': KEY },
  );

const hashOf = async (): Promise<string> => {
  const rows = await api.fixtures.db.query(
    'select request_hash from idempotency_keys where key = $1',
    [KEY],
  );
  return rows[0]?.request_hash as string;
};

/** Signer with the secret of the stack. */
const signerOfStack = async () =>
  createSigner(await openSecret(api.fixtures.db, api.stack.dataDir, 'request_hashes'));

describe('a request that an earlier version stored with a hash without a key', () => {
  const expectRepeat = async (id: string) => {
    const repeated = await rename(id, 'Ada');
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const other = await rename(id, 'Grace');
    expect([other.status, other.body.errors?.[0]?.code]).toEqual([409, 'idempotency_conflict']);
  };

  it('is recognised when it is repeated, before and after the worker keys it', async () => {
    const { db } = api.fixtures;
    const { id } = await makeCustomer(api.client);
    expect((await rename(id, 'Ada')).status).toBe(200);
    const keyed = await hashOf();
    const plain = contentDigest([id, { name: 'Ada' }, {}]);
    await db.query('update idempotency_keys set request_hash = $2 where key = $1', [KEY, plain]);
    await expectRepeat(id);
    const signer = await signerOfStack();
    expect(await keyHashes({ db, signer, dry_run: true }, () => {})).toBe(1);
    expect(await hashOf()).toBe(plain);
    await db.query(`delete from installation_facts where name = 'request_hashes'`, []);
    const step = createHashStep({ db, request_signer: signer, logger: createLogger('silent') });
    expect(await step()).toBe(false);
    expect(await hashOf()).toBe(keyed);
    await expectRepeat(id);
    expect(await keyHashes({ db, signer, dry_run: true }, () => {})).toBe(0);
  });

  it('is searched for until a pass over the table finds none', async () => {
    const { db } = api.fixtures;
    const signer = await signerOfStack();
    const facts = () =>
      db.query(`select value from installation_facts where name = 'request_hashes'`, []);
    await db.query(`delete from installation_facts where name = 'request_hashes'`, []);
    await db.query(
      `insert into idempotency_keys (merchant_id, mode, resource_type, operation, key, request_hash, resource_id, created_at)
       select merchant_id, mode, resource_type, operation, 'many ' || i, request_hash || i, resource_id, now()
       from idempotency_keys, generate_series(1, 700) i where key = $1`,
      [KEY],
    );
    await db.query(
      `update idempotency_keys set request_hash = substr(request_hash, 4) where key like 'many %'`,
      [],
    );
    const step = createHashStep({ db, request_signer: signer, logger: createLogger('silent') });
    expect(await step()).toBe(true);
    expect(await step()).toBe(false);
    expect(await facts()).toEqual([]);
    while (await step());
    expect(await facts()).toHaveLength(1);
    expect(await step()).toBe(false);
  });
});
