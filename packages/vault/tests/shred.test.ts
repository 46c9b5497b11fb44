import { randomUUID } from 'node:crypto';
import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import { describe, expect, test } from 'vitest';
import { UNATTACHED_LIFE_MS } from '../src/cards/card-store.ts';
import { type UsedVault, useVault } from './support/use-vault.ts';
import { errorOf, type TestVault } from './support/vault.ts';

const NUMBER = '4242424242424242';

let network: UsedVault['network'];
let vault: TestVault;
useVault((used) => {
  ({ network, vault } = used);
});

const rows = (sql: string, values: unknown[] = []) => vault.database.query(sql, values);

const requestFor = (merchant_id: string, card_pan_token: string): RelayRequest => ({
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
async function attempt(merchant: string, token: string): Promise<string> {
  const [answer] = await vault.relay(requestFor(merchant, token));
  if (answer?.outcome !== 'answered') return answer?.why ?? 'no answer';
  return network.received.at(-1)!.body.includes(NUMBER) ? 'sent' : 'sent without the number';
}

const attach = (merchant_id: string, card_pan_token: string) =>
  vault.post('/attach', { merchant_id, mode: 'sandbox', card_pan_token });

/** Copies a merchant's rows, and returns a function that restores them like a backup. */
async function backUp(merchant: string): Promise<() => Promise<void>> {
  const ofMerchant = ['keks', 'cards'];
  for (const name of ['root_keys', ...ofMerchant]) {
    await rows(`create table public.old_${name} as table vault.${name}`);
  }
  return async () => {
    await rows('insert into vault.root_keys table public.old_root_keys on conflict do nothing');
    await rows('delete from vault.keks where merchant_id = $1', [merchant]);
    for (const name of ofMerchant) {
      await rows(
        `insert into vault.${name} select * from public.old_${name} where merchant_id = $1`,
        [merchant],
      );
    }
  };
}

describe('a card without a payment method', () => {
  test('is deleted after an hour, and an attached card is not', async () => {
    const [lone, kept] = [await vault.ingest(), await vault.ingest()];
    expect((await attach('merchant-a', kept.card_pan_token)).status).toBe(200);
    vault.clock.now += UNATTACHED_LIFE_MS - 1;
    await vault.restart();
    expect(await attempt('merchant-a', lone.card_pan_token)).toBe('sent');
    vault.clock.now += 1;
    await vault.restart();
    await expect
      .poll(() => attempt('merchant-a', lone.card_pan_token), { timeout: 15_000 })
      .toBe('unknown_token');
    expect(await attempt('merchant-a', kept.card_pan_token)).toBe('sent');
    expect(errorOf(await attach('merchant-a', lone.card_pan_token)).error).toBe('unknown_token');
  });

  test('is kept if it was authorised', async () => {
    const { card_pan_token } = await vault.ingest();
    await vault.relay({ ...requestFor('merchant-a', card_pan_token), consumes_cvv: true });
    const [row] = await rows('select attached_at from vault.cards where token = $1', [
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
    expect(await attempt('merchant-a', card_pan_token)).toBe('unknown_token');
    expect(errorOf(await destroy()).error).toBe('unknown_token');
    expect(await rows('select from vault.cards where token = $1', [card_pan_token])).toEqual([]);
  });

  test('for a merchant does not affect other merchants or the other mode, and the merchant may start again', async () => {
    const gone = await vault.ingest({ merchant_id: 'merchant-x' });
    const live = await vault.ingest({ merchant_id: 'merchant-x', mode: 'live' });
    const other = await vault.ingest({ merchant_id: 'merchant-y' });
    const { ok, said } = await vault.admin('/destroy', {
      merchant_id: 'merchant-x',
      mode: 'sandbox',
    });
    expect([ok, said.join()]).toEqual([
      true,
      expect.stringMatching(/^The key is destroyed, and 1 cards/),
    ]);
    expect(await attempt('merchant-x', gone.card_pan_token)).toBe('unknown_token');
    expect(await attempt('merchant-y', other.card_pan_token)).toBe('sent');
    const [answer] = await vault.relay({
      ...requestFor('merchant-x', live.card_pan_token),
      mode: 'live',
    });
    expect(answer).toMatchObject({ outcome: 'answered' });
    const anew = await vault.ingest({ merchant_id: 'merchant-x' });
    expect(await attempt('merchant-x', anew.card_pan_token)).toBe('sent');
    expect(
      await rows(
        `select version from vault.keks where merchant_id = 'merchant-x' and mode = 'sandbox' and destroyed_at is null`,
      ),
    ).toEqual([{ version: 2 }]);
  });

  test('for a merchant continues after a crash between deleting the key and the cards', async () => {
    const { card_pan_token } = await vault.ingest({ merchant_id: 'merchant-z' });
    await rows(
      `update vault.keks set wrapped = '', destroyed_at = now() where merchant_id = 'merchant-z'`,
    );
    expect(await attempt('merchant-z', card_pan_token)).toBe('record_unreadable');
    await vault.restart();
    await expect
      .poll(() => attempt('merchant-z', card_pan_token), { timeout: 15_000 })
      .toBe('unknown_token');
  });

  test('#23 affects backups once the required version of the root key is destroyed, and not before', async () => {
    const merchant = 'merchant-s';
    const { card_pan_token } = await vault.ingest({ merchant_id: merchant });
    await attach(merchant, card_pan_token);
    const restore = await backUp(merchant);
    const shred = () => vault.admin('/destroy', { merchant_id: merchant, mode: 'sandbox' });

    await shred();
    expect(await attempt(merchant, card_pan_token)).toBe('unknown_token');
    await restore();
    expect(await attempt(merchant, card_pan_token)).toBe('sent');

    await shred();
    expect(await vault.admin('/rotate', { key: 'root' })).toMatchObject({ ok: true });
    expect(await vault.admin('/destroy', { root_version: 1 })).toMatchObject({ ok: true });
    await restore();
    expect(await attempt(merchant, card_pan_token)).toBe('record_unreadable');
  });
});
