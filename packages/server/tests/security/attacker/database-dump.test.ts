import { withClient } from '@florin/cli/database/client.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSecretsKeys } from '../../../src/features/webhooks/signing/keys-file.ts';
import { contentDigest } from '../../../src/jsonapi/request-hash.ts';
import { instanceSecretNames } from '../../../src/platform/database/installation/instance-secrets.ts';
import { useOwnStack } from '../../support/api.ts';
import { type Browser, signIn } from '../../support/browser.ts';
import { makeHook } from '../../support/hooks.ts';
import { openSecret } from '../../support/instance-secrets.ts';
import { eventually, makeCustomer, makeIdentification } from '../../support/make.ts';

/** The attacker has a dump of the database, and nothing of any machine's disk. */
const api = useOwnStack();

/** Texts of a person that the attacker wants. No other record of the test has these texts. */
const person = {
  full_name: 'Zephyrine Quackenbush-Ott',
  personal_name: 'Zephyrine Dumped',
  surname: 'Quackenbush-Dumped',
  name_on_document: 'Zephyrine Perpetua Ott',
  dob: '1961-07-23',
  email: 'zephyrine@dumped.example',
  phone_number: '+12125550199',
  id_number: '900-81-7766',
};
const ACCOUNT_NUMBER = '918273645500';
const planted: string[] = [...Object.values(person), '7766', ACCOUNT_NUMBER];
/** A name that a merchant replaced, so that only the hash of the request could tell it. */
const REPLACED_NAME = 'Zephyrine Replaced';
let customer: string;
let dump: string;
let browser: Browser;

/** Every row of every table, as text. Bytes are hexadecimal. */
const dumpDatabase = (): Promise<string> =>
  withClient(api.stack.adminDatabaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in (current_schema(), 'vault') and table_type = 'BASE TABLE'`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ line: string }>(
        `select t::text as line from ${name} t`,
      );
      texts.push(`${name}\n`, ...rows.map(({ line }) => line));
    }
    return texts.join('\n');
  });

/** Forms in which a dump may have a text or key. */
const formsOf = (bytes: Buffer): string[] =>
  (['hex', 'base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding));

const rename = (id: string, name: string) =>
  api.client.send(
    'PATCH',
    `/v2/customers/${id}`,
    { data: { type: 'customers', id, attributes: { name } } },
    { 'idempotency-key': `rename to ${name}` },
  );

beforeAll(async () => {
  browser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
  const merchant = await api.fixtures.getDemoMerchant();
  const scope = { 'florin-merchant': merchant.id, 'florin-mode': 'sandbox' };
  const { id } = await makeIdentification(api.client, person);
  expect((await api.client.fetch('personal_identifications', id)).attributes).toMatchObject({
    ...person,
    id_number: '*******7766',
  });
  const bank = {
    name: 'Bank of the dump',
    holder_name: 'Ott Ltd',
    account_number: ACCOUNT_NUMBER,
    routing_number: '021000021',
  };
  const path = '/dashboard/api/financial_institutions';
  expect((await browser.send('POST', path, bank, scope)).status).toBe(201);
  planted.push((await makeHook(api.client)).attributes.secret_key as string);
  const factor = await browser.send('POST', '/dashboard/api/account/totp', {});
  planted.push(factor.body.secret as string);
  customer = (await makeCustomer(api.client)).id;
  for (const name of [REPLACED_NAME, 'Somebody']) await rename(customer, name);
  const logged = `select id from api_requests where path like '%personal_identifications%' limit 1`;
  await eventually(
    () => api.fixtures.db.query(logged, []),
    (rows) => rows.length === 1,
  );
  dump = await dumpDatabase();
}, 60_000);

describe('a dump of the database', () => {
  it('has the rows that belong to the secrets', () => {
    for (const text of ['Bank of the dump', 'personal_identifications', 'instance_secrets'])
      expect(dump).toContain(text);
  });

  it('has no identity, account number, webhook secret or second factor', () => {
    for (const text of planted) {
      expect(text.length).toBeGreaterThanOrEqual(4);
      const forms = text.length > 4 ? [text, ...formsOf(Buffer.from(text))] : [`***${text}`];
      for (const form of forms) expect(dump.includes(form), text).toBe(false);
    }
  });

  it('confirms no guess of the content of a request with an idempotency key', async () => {
    expect(dump).toContain(`rename to ${REPLACED_NAME}`);
    const digest = contentDigest([customer, { name: REPLACED_NAME }, {}]);
    expect(dump.includes(digest)).toBe(false);
    const [row] = await api.fixtures.db.query(
      'select request_hash from idempotency_keys where key = $1',
      [`rename to ${REPLACED_NAME}`],
    );
    expect(row?.request_hash).toMatch(/^k1\.[A-Za-z0-9_-]{43}$/);
  });

  it.each(instanceSecretNames)('has no key with which %s could be signed', async (name) => {
    const { db } = api.fixtures;
    const [key] = (await openSecret(db, api.stack.dataDir, name)).keys();
    for (const form of formsOf(key?.export() as Buffer)) expect(dump.includes(form)).toBe(false);
  });

  it('has none of the keys that seal', async () => {
    const keys = (await readSecretsKeys(api.stack.dataDir)) ?? [];
    expect(keys).toHaveLength(1);
    for (const form of keys.flatMap(formsOf)) expect(dump.includes(form)).toBe(false);
  });
});
