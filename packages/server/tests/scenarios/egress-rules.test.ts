import { networkPaths } from '@florin/contract/protocol/network.ts';
import type { EgressRule } from '@florin/contract/protocol/processor-accounts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { eventually } from '../support/make.ts';
import { exampleAdapter } from '../support/network-adapter.ts';
import { type Operator, operatorOf } from '../support/operator.ts';

const cleanup = new AsyncDisposableStack();
let stack: Stack;
let operator: Operator;
let vaultDb: Database;
let account: string;

beforeAll(async () => {
  stack = cleanup.use(await startStack({ adapters: { example: exampleAdapter } }));
  vaultDb = cleanup.use(openDatabase({ url: stack.vaultDatabaseUrl, connections_max: 1 }));
  operator = operatorOf({ stack });
  const { body } = await operator.send('POST', '/processor_accounts', {
    processor: 'example',
    mode: 'sandbox',
    name: 'Ruled',
    settings: { origin: stack.simulatorUrl },
    secrets: { api_key: 'sk_example_5d0c9c1b7a52' },
  });
  account = body.data.id;
});
afterAll(() => cleanup.disposeAsync());

const check = async () =>
  (await operator.send('POST', `/processor_accounts/${account}/check`, {})).body.data;

const setVaultRules = (egress: readonly EgressRule[]) =>
  vaultDb.query('update vault.processor_accounts set egress = $1', [JSON.stringify(egress)]);

it('an account is stored with the egress rules of its adapter', async () => {
  const [row] = await vaultDb.query('select egress from vault.processor_accounts', []);
  expect(JSON.parse(row?.egress as string)).toEqual(
    exampleAdapter.egress?.({
      id: account,
      mode: 'sandbox',
      settings: { origin: stack.simulatorUrl },
    }),
  );
  expect(await check()).toEqual({ accepted: true, failure: null });
});

it('a message that the rules do not allow is named to the operator', async () => {
  const { failure } = await eventually(
    async () => {
      // The server publishes the rules of a new account once, at a moment of its own.
      await setVaultRules([{ origin: stack.simulatorUrl, method: 'POST', path: '/v1/x' }]);
      return check();
    },
    (answer) => answer.failure !== null,
  );
  expect(failure).toMatch(
    /^Example Pay could not be asked: the vault refused it\. No egress rule of the account allows GET /,
  );
  expect(failure).toContain(stack.simulatorUrl + networkPaths.authorisations);
});

it('an account of one merchant is stored with it, and asks the processor for this merchant', async () => {
  await using serverDb = openDatabase({ url: stack.databaseUrl, connections_max: 1 });
  const [row] = await serverDb.query('select id from merchants limit 1', []);
  const merchant = row?.id as string;
  const { body } = await operator.send('POST', '/processor_accounts', {
    processor: 'example',
    mode: 'sandbox',
    name: 'Of one merchant',
    merchant_id: merchant.toUpperCase(),
    settings: { origin: stack.simulatorUrl },
    secrets: { api_key: 'sk_example_5d0c9c1b7a53' },
  });
  const id = body.data.id;
  const readMerchant = async () =>
    (
      await vaultDb.query(
        'select merchant_id from vault.processor_accounts where account_id = $1',
        [id],
      )
    )[0]?.merchant_id;
  expect(await readMerchant()).toBe(merchant);
  const checkIt = () => operator.send('POST', `/processor_accounts/${id}/check`, {});
  expect((await checkIt()).body.data).toEqual({ accepted: true, failure: null });
  // A vault that an upgrade migrated knows no merchant.
  await vaultDb.query('update vault.processor_accounts set merchant_id = null', []);
  await stack.restart('server');
  operator = operatorOf({ stack });
  expect(await eventually(readMerchant, (id) => id !== null)).toBe(merchant);
  const ofAnother = await eventually(
    async () => {
      // The server publishes again if the vault answered late.
      await vaultDb.query('update vault.processor_accounts set merchant_id = $1', ['another']);
      return (await checkIt()).body.data;
    },
    ({ failure }) => failure !== null,
  );
  expect(ofAnother.failure).toBe(
    `Example Pay could not be asked: the vault refused it. The account ${id} is for messages of another merchant only.`,
  );
});

it('a server that starts with other rules stores them, and keeps the secrets', async () => {
  await setVaultRules([{ origin: stack.simulatorUrl, method: 'POST', path: '/v1/x' }]);
  await stack.restart('server');
  operator = operatorOf({ stack });
  expect(await eventually(check, ({ accepted }) => accepted)).toMatchObject({ accepted: true });
});
