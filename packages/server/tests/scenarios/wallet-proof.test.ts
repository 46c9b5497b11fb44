import { withClient } from '@florin/cli/database/client.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import type { Client } from '../support/client.ts';
import { answerOf, callPay } from '../support/form.ts';
import { makeCardless, makeSubscription, settled } from '../support/make.ts';
import { type Choice, mountWithWallets, walletBody, walletToken } from '../support/wallet.ts';

const api = useOwnStack({ pace: 0.05 });
/** Client of a merchant that requires an authenticated cardholder. */
let client: Client;
let publishable: string;
beforeAll(async () => {
  const merchant = await api.books.makeMerchant({ threeds_sandbox: 'required' });
  client = api.as(await merchant.key());
  publishable = await merchant.key({ context: 'browser' });
});

async function vouchFor(payment: string, choice: Choice = {}): Promise<void> {
  const form = await mountWithWallets(api.stack, payment, publishable);
  const body = walletBody(form, 'apple_pay', await walletToken(form, 'apple_pay', choice));
  const answer = answerOf(await callPay(api.stack, '/frame/v1/wallet', body));
  expect(answer.result).toBe('verified');
}

async function authenticatedByWallet(choice: Choice = {}): Promise<string> {
  const { id } = await makeCardless(client);
  await vouchFor(id, choice);
  return id;
}

const confirm = async (type: string, id: string): Promise<[number, (string | undefined)[]]> => {
  const { status, body } = await client.send('PATCH', `/v2/${type}/${id}/confirm`);
  const pointers = (body.errors ?? []).map(({ source }) => source?.pointer);
  return [status, pointers];
};
const REFUSED = [422, expect.arrayContaining(['/data/attributes/threeds_status'])];
const outcome = async (id: string) => (await settled(client, id)).attributes;

describe('if authentication is required, a wallet’s authentication', () => {
  it('is not accepted once the vault has deleted its cryptogram', async () => {
    const payment = await authenticatedByWallet();
    await withClient(api.stack.adminDatabaseUrl, (database) =>
      database.query('delete from vault.cvvs'),
    );
    expect(await confirm('payment_demands', payment)).toEqual([200, []]);
    expect(await outcome(payment)).toMatchObject({
      status: 'failed',
      failure_reason: 'card_not_verified',
      threeds_status: null,
      eci: null,
    });
    expect(await confirm('payment_demands', payment)).toEqual(REFUSED);
  });

  it('is not accepted for a retry after a decline, until a card is entered again', async () => {
    const payment = await authenticatedByWallet({ card: 'generic_decline' });
    await confirm('payment_demands', payment);
    expect(await outcome(payment)).toMatchObject({ status: 'failed', threeds_status: null });
    expect(await confirm('payment_demands', payment)).toEqual(REFUSED);
    await vouchFor(payment);
    expect(await confirm('payment_demands', payment)).toEqual([200, []]);
    expect((await outcome(payment)).status).toBe('succeeded');
  });

  it('expires after a quarter of an hour', async () => {
    const payment = await authenticatedByWallet();
    const [row] = await api.books.db.query(
      `update payment_demands set wallet_until = wallet_until - interval '15 minutes' where id = $1
       returning wallet_until > now() - interval '2 minutes' as recent`,
      [payment],
    );
    expect(row?.recent).toBe('t');
    expect(await confirm('payment_demands', payment)).toEqual(REFUSED);
  });

  it('serves one charge of a subscription, whose retry needs a card that is entered again', async () => {
    const { payer, billing_address } = (await makeCardless(client)).relationships;
    const linked = (one: typeof payer) => one?.data as never;
    const { id } = await makeSubscription(
      client,
      {},
      {
        payer: linked(payer),
        billing_address: linked(billing_address),
      },
    );
    await vouchFor(id, { card: 'generic_decline' });
    expect(await confirm('payment_subscriptions', id)).toEqual([200, []]);
    const standing = async () => (await client.fetch('payment_subscriptions', id)).attributes;
    await expect.poll(standing, { timeout: 15_000 }).toMatchObject({
      failure_reason: 'generic_decline',
      threeds_status: null,
    });
    expect(await confirm('payment_subscriptions', id)).toEqual(REFUSED);
    await vouchFor(id);
    expect(await confirm('payment_subscriptions', id)).toEqual([200, []]);
    await expect.poll(standing, { timeout: 15_000 }).toMatchObject({ status: 'active' });
  });
});
