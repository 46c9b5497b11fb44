import type { CardDescription } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ID_LIFE_MS } from '../../src/cards/fingerprint-ids.ts';
import { startTestVault, type TestVault } from '../support/vault.ts';

/** The attacker has the server, so everything that the vault tells it, and the key of the fingerprints. */
let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault[Symbol.asyncDispose]());

const SWEEP_WAIT_MS = 5_000;

async function marks(): Promise<unknown[]> {
  const rows = await vault.database.query('select mark from vault.fingerprint_ids');
  return rows.map(({ mark }) => mark);
}

const describeAgain = async ({ card_pan_token }: CardDescription, mode = 'sandbox') => {
  const request = { merchant_id: 'merchant-a', mode, card_pan_token };
  return JSON.parse((await vault.post('/describe', request)).text) as CardDescription;
};

test('nothing that leaves the vault is a fingerprint with which numbers could be tried', async () => {
  const card = await vault.ingest();
  expect(await marks()).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  for (const answer of [card, await describeAgain(card)])
    for (const mark of await marks()) expect(JSON.stringify(answer)).not.toContain(mark);
});

test('a card of the sandbox says nothing about the same card in live mode', async () => {
  const [sandboxCard, liveCard] = [await vault.ingest(), await vault.ingest({ mode: 'live' })];
  expect(liveCard.fingerprint).not.toBe(sandboxCard.fingerprint);
  expect((await vault.ingest({ mode: 'live' })).fingerprint).toBe(liveCard.fingerprint);
});

test('cards entered at once get one id', async () => {
  const cards = await Promise.all(
    Array.from({ length: 8 }, () => vault.ingest({ merchant_id: 'merchant-c' })),
  );
  expect(new Set(cards.map(({ fingerprint }) => fingerprint)).size).toBe(1);
});

test('a destroyed merchant leaves no mark of a number, and an unused one goes after three years', async () => {
  await vault.ingest({ merchant_id: 'merchant-b' });
  await vault.admin('/destroy', { merchant_id: 'merchant-b', mode: 'sandbox' });
  const rows = await vault.database.query(
    `select from vault.fingerprint_ids where merchant_id = 'merchant-b'`,
  );
  expect(rows).toEqual([]);
  expect(await marks()).not.toEqual([]);
  vault.clock.now += ID_LIFE_MS + 1;
  await vault.restart();
  await expect.poll(marks, { timeout: SWEEP_WAIT_MS }).toEqual([]);
});
