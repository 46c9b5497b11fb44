import { createHash, randomUUID } from 'node:crypto';
import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import { describe, expect, test } from 'vitest';
import { UNATTACHED_LIFE_MS } from '../src/cards/card-store.ts';
import { useVault, type VaultContext } from './support/use-vault.ts';
import { errorOf, type TestVault } from './support/vault.ts';

const NUMBER = '4242424242424242';

let network: VaultContext['network'];
let vault: TestVault;
useVault((context) => {
  ({ network, vault } = context);
});

const queryRows = (sql: string, values: unknown[] = []) => vault.database.query(sql, values);

const createRelayRequest = (merchant_id: string, card_pan_token: string): RelayRequest => ({
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
});

/** `sent` with the number, or the reason for not sending. */
async function tryRelay(merchantId: string, token: string): Promise<string> {
  const [answer] = await vault.relay(createRelayRequest(merchantId, token));
  if (answer?.outcome !== 'answered') return answer?.why ?? 'no answer';
  return network.received.at(-1)!.body.includes(NUMBER) ? 'sent' : 'sent without the number';
}

const attach = (merchant_id: string, card_pan_token: string) =>
  vault.post('/attach', { merchant_id, mode: 'sandbox', card_pan_token });

/** Copies a merchant's rows, and returns a function that restores them like a backup. */
async function backUp(merchantId: string): Promise<() => Promise<void>> {
  const merchantTables = ['keks', 'cards'];
  for (const name of ['root_keys', ...merchantTables]) {
    await queryRows(`create table public.old_${name} as table vault.${name}`);
  }
  return async () => {
    await queryRows(
      'insert into vault.root_keys table public.old_root_keys on conflict do nothing',
    );
    await queryRows('delete from vault.keks where merchant_id = $1', [merchantId]);
    for (const name of merchantTables) {
      await queryRows(
        `insert into vault.${name} select * from public.old_${name} where merchant_id = $1`,
        [merchantId],
      );
    }
  };
}

describe('a card without a payment method', () => {
  test('is deleted after an hour, and an attached card is not', async () => {
    const [unattachedCard, attachedCard] = [await vault.ingest(), await vault.ingest()];
    expect((await attach('merchant-a', attachedCard.card_pan_token)).status).toBe(200);
    vault.clock.now += UNATTACHED_LIFE_MS - 1;
    await vault.restart();
    expect(await tryRelay('merchant-a', unattachedCard.card_pan_token)).toBe('sent');
    vault.clock.now += 1;
    await vault.restart();
    await expect
      .poll(() => tryRelay('merchant-a', unattachedCard.card_pan_token), { timeout: 15_000 })
      .toBe('unknown_token');
    expect(await tryRelay('merchant-a', attachedCard.card_pan_token)).toBe('sent');
    expect(errorOf(await attach('merchant-a', unattachedCard.card_pan_token)).error).toBe(
      'unknown_token',
    );
  });

  test('is kept if it was authorised', async () => {
    const { card_pan_token } = await vault.ingest();
    await vault.relay({ ...createRelayRequest('merchant-a', card_pan_token), consumes_cvv: true });
    const [row] = await queryRows('select attached_at from vault.cards where token = $1', [
      card_pan_token,
    ]);
    expect(row!.attached_at).not.toBe(null);
  });

  test('cannot be attached by another merchant', async () => {
    const { card_pan_token } = await vault.ingest();
    expect(errorOf(await attach('merchant-b', card_pan_token)).error).toBe('unknown_token');
  });
});

describe('a destroy command', () => {
  test('for a card deletes its data key, and the token is unknown the second time', async () => {
    const { card_pan_token } = await vault.ingest();
    const destroy = () =>
      vault.post('/destroy', { merchant_id: 'merchant-a', mode: 'sandbox', card_pan_token });
    expect((await destroy()).status).toBe(200);
    expect(await tryRelay('merchant-a', card_pan_token)).toBe('unknown_token');
    expect(errorOf(await destroy()).error).toBe('unknown_token');
    const token_hash = createHash('sha256').update(card_pan_token).digest('hex');
    expect(
      await queryRows(
        `select actor, outcome from vault.audit where token_hash = $1 and verb = 'destroy_card' order by seq`,
        [token_hash],
      ),
    ).toEqual([
      { actor: 'server', outcome: 'requested' },
      { actor: 'server', outcome: 'destroyed' },
      { actor: 'server', outcome: 'requested' },
      { actor: 'server', outcome: 'unknown_token' },
    ]);
    expect(await queryRows('select from vault.cards where token = $1', [card_pan_token])).toEqual(
      [],
    );
  });

  test('for a merchant does not affect other merchants or the other mode, and the merchant may start again', async () => {
    const destroyedCard = await vault.ingest({ merchant_id: 'merchant-x' });
    const liveCard = await vault.ingest({ merchant_id: 'merchant-x', mode: 'live' });
    const otherCard = await vault.ingest({ merchant_id: 'merchant-y' });
    const { ok, sentences } = await vault.admin('/destroy', {
      merchant_id: 'merchant-x',
      mode: 'sandbox',
    });
    expect([ok, sentences.join()]).toEqual([
      true,
      expect.stringMatching(/^The key and 1 cards are destroyed\./),
    ]);
    expect(await tryRelay('merchant-x', destroyedCard.card_pan_token)).toBe('unknown_token');
    expect(await tryRelay('merchant-y', otherCard.card_pan_token)).toBe('sent');
    const [answer] = await vault.relay({
      ...createRelayRequest('merchant-x', liveCard.card_pan_token),
      mode: 'live',
    });
    expect(answer).toMatchObject({ outcome: 'answered' });
    const newCard = await vault.ingest({ merchant_id: 'merchant-x' });
    expect(await tryRelay('merchant-x', newCard.card_pan_token)).toBe('sent');
    expect(
      await queryRows(
        `select version from vault.keks where merchant_id = 'merchant-x' and mode = 'sandbox' and destroyed_at is null`,
      ),
    ).toEqual([{ version: 2 }]);
  });

  test('for a merchant continues after a crash between deleting the key and the cards', async () => {
    const { card_pan_token } = await vault.ingest({ merchant_id: 'merchant-z' });
    await queryRows(
      `update vault.keks set wrapped = '', destroyed_at = now() where merchant_id = 'merchant-z'`,
    );
    expect(await tryRelay('merchant-z', card_pan_token)).toBe('record_unreadable');
    await vault.restart();
    await expect
      .poll(() => tryRelay('merchant-z', card_pan_token), { timeout: 15_000 })
      .toBe('unknown_token');
  });

  test('#23 affects backups whose tombstones are lost once the version of the root key is destroyed, and not before', async () => {
    const merchantId = 'merchant-s';
    const { card_pan_token } = await vault.ingest({ merchant_id: merchantId });
    await attach(merchantId, card_pan_token);
    const restore = await backUp(merchantId);
    const destroyMerchant = () =>
      vault.admin('/destroy', { merchant_id: merchantId, mode: 'sandbox' });

    await destroyMerchant();
    expect(await tryRelay(merchantId, card_pan_token)).toBe('unknown_token');
    await restore();
    expect(await tryRelay(merchantId, card_pan_token)).toBe('sent');

    await destroyMerchant();
    expect(await vault.admin('/rotate', { key: 'root' })).toMatchObject({ ok: true });
    expect(await vault.admin('/destroy', { root_version: 1 })).toMatchObject({ ok: true });
    await restore();
    expect(await tryRelay(merchantId, card_pan_token)).toBe('record_unreadable');
  });
});
