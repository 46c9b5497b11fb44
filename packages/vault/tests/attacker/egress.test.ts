import { randomUUID } from 'node:crypto';
import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNetwork } from '../support/network.ts';
import { startTestVault, type TestVault } from '../support/vault.ts';

/** The attacker has the server, and asks the vault to send cards to a host of its own. */
let vault: TestVault;
let home: Awaited<ReturnType<typeof startNetwork>>;
beforeAll(async () => {
  home = await startNetwork();
  vault = await startTestVault(['https://processor.example']);
});
afterAll(async () => {
  await vault?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

const messageTo = (url: string, changes: Partial<RelayRequest> = {}): RelayRequest => ({
  id: randomUUID(),
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  consumes_cvv: false,
  method: 'POST',
  url,
  headers: {},
  body: {},
  card_fields: {},
  timeout_ms: 5_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

const readAudit = async () =>
  (await vault.database.query(`select verb, outcome from vault.audit order by seq`)).map(
    ({ verb, outcome }) => `${verb} ${outcome}`,
  );

test('a message to an origin outside of the list is not sent, and log and audit have it, with and without a card', async () => {
  const { card_pan_token } = await vault.ingest();
  const answers = await vault.relay(
    messageTo(home.origin, {
      card_pan_token,
      body: { number: null },
      card_fields: { '/number': 'pan' },
    }),
    messageTo(`${home.origin}/probe`),
    messageTo('https://user:pw@processor.example/'),
    messageTo('nowhere'),
  );
  expect(answers.map((answer) => 'why' in answer && answer.why)).toEqual(
    Array.from({ length: 4 }, () => 'egress_not_allowed'),
  );
  expect(home.received).toEqual([]);
  const refusals = vault.log
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'message_refused');
  expect(refusals.map(({ level, detail }) => [level, detail])).toEqual([
    [50, `VAULT_EGRESS has no ${home.origin}.`],
    [50, `VAULT_EGRESS has no ${home.origin}.`],
    [50, 'The address at https://processor.example has a login.'],
    [50, 'The message has no address.'],
  ]);
  await expect
    .poll(readAudit)
    .toEqual(['ingest stored', ...refusals.map(() => 'relay not_sent: egress_not_allowed')]);
});
