import { withClient } from '@florin/cli/database/client.ts';
import type { FrameConfig, VerifyAnswer, WalletName } from '@florin/contract/protocol/frame.ts';
import type { AuthorisationRequest } from '@florin/contract/protocol/network.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { callForm, enterCode, openChallenge } from '../support/bank.ts';
import type { Client } from '../support/client.ts';
import { answerOf, callPay, mountForm } from '../support/form.ts';
import {
  eventually,
  makeCardlessPayment,
  makeDemand,
  makeSubscription,
  waitForOutcome,
} from '../support/make.ts';
import { simulateLive } from '../support/simulated-live.ts';
import {
  cardNumberOf,
  mountWithWallets,
  requestWalletToken,
  type SheetChoice,
  sheetUrl,
  walletBody,
} from '../support/wallet.ts';

/** Authorisations that the network received, newest last. */
const authorisations: AuthorisationRequest[] = [];
const api = useOwnStack({
  processors: simulateLive(),
  pace: 0.05,
  faults: (request) => {
    if ('card' in request) authorisations.push(request as AuthorisationRequest);
    return undefined;
  },
});
const publishableKey = () => api.stack.credentials.sandbox.publishable_key;
const WALLETS: readonly WalletName[] = ['apple_pay', 'google_pay'];
/** An amount for which every bank requires a code. */
const CHALLENGED_CENTS = 9813;

const makeIntentId = async (amount_cents = 2500, client = api.client): Promise<string> =>
  (await makeCardlessPayment(client, { amount_cents })).id;

const send = async (body: object): Promise<VerifyAnswer> =>
  answerOf(await callPay(api.stack, '/frame/v1/wallet', body));

interface Payment {
  readonly paymentId: string;
  readonly form: FrameConfig;
  readonly token: string;
  readonly answer: VerifyAnswer;
}

async function payBy(
  wallet: WalletName,
  choice: SheetChoice = {},
  amount?: number,
): Promise<Payment> {
  const paymentId = await makeIntentId(amount);
  const form = await mountWithWallets(api.stack, paymentId, publishableKey());
  const token = await requestWalletToken(form, wallet, choice);
  return { paymentId, form, token, answer: await send(walletBody(form, wallet, token)) };
}

async function confirm(paymentId: string, client = api.client): Promise<Record<string, unknown>> {
  await client.send('PATCH', `/v2/payment_demands/${paymentId}/confirm`);
  return (await waitForOutcome(client, paymentId)).attributes;
}

const readAttributes = async (type: string, id: string | undefined) =>
  (await api.client.fetch(type, id as string)).attributes;

const listEventCodes = async (id: string): Promise<string[]> => {
  const { body } = await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
  return body.data.map(
    ({ attributes }: EventRow) => `${attributes.resource_type}.${attributes.slug}`,
  );
};
interface EventRow {
  readonly attributes: { readonly resource_type: string; readonly slug: string };
}

describe.each(WALLETS)('a card of %s', (wallet) => {
  it('with device authentication is attached without querying the bank, and authenticates one payment', async () => {
    const { paymentId, form, token, answer } = await payBy(wallet);
    expect(answer).toMatchObject({
      result: 'verified',
      detail: { brand: 'visa', last_four: '0004', payment_demand: paymentId },
    });
    expect(await readAttributes('payment_methods', answer.detail.payment_method)).toMatchObject({
      wallet,
      external_state: 'confirmed',
      card_cvv_token: null,
      last_four: '0004',
    });
    expect(await readAttributes('payment_demands', paymentId)).toMatchObject({
      status: 'ready',
      threeds_status: 'wallet',
      eci: '05',
      threeds_version: null,
      threeds_cryptogram: null,
      payer_timezone: 'Europe/Vienna',
    });
    expect(await send(walletBody(form, wallet, token))).toEqual(answer);

    const otherPaymentId = await makeIntentId();
    const otherForm = await mountWithWallets(api.stack, otherPaymentId, publishableKey());
    const replayAnswer = await send(walletBody(otherForm, wallet, token));
    expect([replayAnswer.result, replayAnswer.detail.code]).toEqual([
      'error',
      'wallet_token_replayed',
    ]);
    expect((await readAttributes('payment_demands', otherPaymentId)).status).toBe('incomplete');

    expect(await confirm(paymentId)).toMatchObject({
      status: 'succeeded',
      cvc2_check: 'unprocessed',
    });
    const authorisation = authorisations.at(-1);
    expect(authorisation?.card.number).toBe(cardNumberOf('visa'));
    expect(authorisation?.wallet).toEqual({
      kind: wallet,
      cryptogram: expect.stringMatching(/^[\w+/]{27}=$/),
      eci: '05',
    });
    expect(authorisation?.authentication).toBeUndefined();
    expect(await listEventCodes(answer.detail.payment_method as string)).toContain(
      'consumer.payment_methods.created',
    );
    const events = await eventually(
      () => listEventCodes(paymentId),
      (events) => events.includes('transaction.payment_demands.succeeded'),
    );
    expect(events.filter((code) => /succeeded|failed/.test(code))).toEqual([
      'transaction.payment_demands.succeeded',
    ]);

    const id = answer.detail.payment_method as string;
    const { payer, billing_address } = (await api.client.fetch('payment_demands', paymentId))
      .relationships as Record<string, { data: { id: string; type: string } }>;
    const secondPayment = await makeDemand(
      api.client,
      { confirmed: true },
      {
        payer: await api.client.fetch('customers', payer?.data.id as string),
        billing_address: await api.client.fetch(
          'consumer_addresses',
          billing_address?.data.id as string,
        ),
        payment_method: await api.client.fetch('payment_methods', id),
      },
    );
    expect((await waitForOutcome(api.client, secondPayment.id)).attributes.status).toBe(
      'succeeded',
    );
    expect(authorisations.at(-1)?.wallet).toEqual({ kind: wallet });
  });

  it('satisfies a merchant that requires 3-D Secure', async () => {
    const merchant = await api.fixtures.makeMerchant({ threeds_sandbox: 'required' });
    const client = api.as(await merchant.makeKey());
    const paymentId = await makeIntentId(2500, client);
    const browserKey = await merchant.makeKey({ context: 'browser' });
    const form = await mountWithWallets(api.stack, paymentId, browserKey);
    await send(walletBody(form, wallet, await requestWalletToken(form, wallet)));
    expect(await confirm(paymentId, client)).toMatchObject({ status: 'succeeded' });
  });

  it('is refused for an amount that its holder has not approved', async () => {
    const paymentId = await makeIntentId();
    const form = await mountWithWallets(api.stack, paymentId, publishableKey());
    const body = walletBody(form, wallet, await requestWalletToken(form, wallet));
    await api.client.send('PATCH', `/v2/payment_demands/${paymentId}`, {
      data: { type: 'payment_demands', id: paymentId, attributes: { amount_cents: 990_000 } },
    });
    expect((await send(body)).detail.code).toBe('payment_changed');
    const forgedAnswer = await send({ ...body, amount: '990000' });
    const outcome =
      forgedAnswer.result === 'verified' ? (await confirm(paymentId)).status : forgedAnswer.result;
    // Apple's token contains the amount. For Google's, the network detects a cryptogram for another amount.
    expect(outcome).toBe(wallet === 'apple_pay' ? 'error' : 'failed');
  });
});

describe('a card of any wallet', () => {
  it('that is declined fails its payment, like a typed one', async () => {
    const { paymentId, answer } = await payBy('apple_pay', { card: 'generic_decline' });
    expect(answer.result).toBe('verified');
    expect(await confirm(paymentId)).toMatchObject({
      status: 'failed',
      failure_reason: 'generic_decline',
    });
  });
});

describe('a card on file at Google (PAN_ONLY)', () => {
  const ON_FILE = { kind: 'pan_only' } as const;

  it('goes through 3-D Secure, and the network gets its result', async () => {
    const { paymentId, answer } = await payBy('google_pay', ON_FILE);
    expect(answer.result).toBe('verified');
    expect(await readAttributes('payment_demands', paymentId)).toMatchObject({
      threeds_status: 'Y',
      eci: '05',
    });
    expect((await confirm(paymentId)).status).toBe('succeeded');
    const authorisation = authorisations.at(-1);
    expect(authorisation?.wallet).toEqual({ kind: 'google_pay' });
    expect(authorisation?.authentication).toMatchObject({ eci: '05', cavv: expect.any(String) });
  });

  it('is challenged if its bank wants that, in the form that sent it', async () => {
    const { paymentId, form, answer } = await payBy('google_pay', ON_FILE, CHALLENGED_CENTS);
    if (answer.result !== 'challenge') throw new Error(`no challenge but ${answer.result}`);
    expect((await readAttributes('payment_demands', paymentId)).status).toBe('incomplete');
    await enterCode(await openChallenge(api.stack, answer), '123456');
    const { authentication } = answer.challenge;
    const finalAnswer = await eventually(
      () => callForm(api.stack, 'challenge', { session: form.session, authentication }),
      ({ result }) => result !== 'challenge',
    );
    expect(finalAnswer.result).toBe('verified');
    expect((await confirm(paymentId)).status).toBe('succeeded');
  });

  it('is refused if its bank rejects it', async () => {
    const { answer } = await payBy('google_pay', { ...ON_FILE, card: 'threeds_rejected' });
    expect([answer.result, answer.detail.code]).toEqual(['failed', 'authentication_failed']);
  });
});

describe('the verify call of a wallet', () => {
  it('is refused with a code, and its payment does not change', async () => {
    const cases: readonly [string, object, string][] = [
      ['no session', { session: 'made up' }, 'session_over'],
      ['an unknown wallet', { wallet: 'samsung_pay' }, 'session_over'],
      ['no token', { token: undefined }, 'session_over'],
      ['a token that is too long', { token: 'x'.repeat(16_385) }, 'session_over'],
      ['an invalid token', { token: '{}' }, 'wallet_token_unreadable'],
      ['the other wallet’s token', { wallet: 'apple_pay' }, 'wallet_token_unreadable'],
      ['an unknown time zone', { timezone: 'Mars' }, 'unknown_timezone'],
    ];
    const paymentId = await makeIntentId();
    const form = await mountWithWallets(api.stack, paymentId, publishableKey());
    for (const [name, change, code] of cases) {
      const body = walletBody(form, 'google_pay', await requestWalletToken(form, 'google_pay'));
      const answer = await send({ ...body, ...change });
      expect([name, answer.result, answer.detail.code]).toEqual([name, 'error', code]);
      expect((await readAttributes('payment_demands', paymentId)).status).toBe('incomplete');
    }
  });

  it("uses the wallet's address as the billing address", async () => {
    const { id } = await makeDemand(api.client, {}, {});
    const form = await mountWithWallets(api.stack, id, publishableKey(), '&form=embedded');
    const body = walletBody(form, 'google_pay', await requestWalletToken(form, 'google_pay'));
    const berlinAddress = { line_1: 'Hauptstraße 1', city: 'Berlin', state: '', zip: '10115' };
    const answer = await send({ ...body, billing_address: { ...berlinAddress, country: 'DE' } });
    expect(answer.result).toBe('verified');
    const { relationships } = await api.client.fetch('payment_demands', id);
    const address = relationships.billing_address?.data as { id: string };
    expect(await readAttributes('consumer_addresses', address.id)).toMatchObject(berlinAddress);
  });

  it('stores no part of the token in the server’s database', async () => {
    const { token, paymentId } = await payBy('google_pay');
    await confirm(paymentId);
    const { signature, signedMessage } = JSON.parse(token);
    const { encryptedMessage } = JSON.parse(signedMessage);
    const { cryptogram } = authorisations.at(-1)?.wallet ?? {};
    const secrets = [signature, encryptedMessage, cryptogram, cardNumberOf('visa')];
    const tables = await api.fixtures.db.query(
      `select format('%I', table_name) as name from information_schema.tables
       where table_schema = current_schema() and table_type = 'BASE TABLE'`,
      [],
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const rows = await api.fixtures.db.query(
        `select 1 from ${name} t where ${secrets.map((_, at) => `position($${at + 1} in t::text) > 0`).join(' or ')} limit 1`,
        secrets,
      );
      expect(rows, name as string).toEqual([]);
    }
  });
});

describe('a form', () => {
  it('offers the wallets that its page requests, with the amount of the payment', async () => {
    const paymentId = await makeIntentId(4321);
    const form = await mountWithWallets(api.stack, paymentId, publishableKey());
    expect(Object.keys(form.wallets ?? {})).toEqual(['verify_url', ...WALLETS]);
    for (const wallet of WALLETS) {
      expect(Object.fromEntries(sheetUrl(form, wallet).searchParams)).toMatchObject({
        amount: '4321',
        currency: 'USD',
      });
    }
    expect((await mountForm(api.stack, paymentId, publishableKey())).wallets).toBeUndefined();
  });

  it('of live mode offers none before the operator has configured one', async () => {
    const paymentId = await makeIntentId(2500, api.live);
    const { publishable_key } = api.stack.credentials.live;
    expect((await mountWithWallets(api.stack, paymentId, publishable_key)).wallets).toBeUndefined();
  });
});

describe('if authentication is required, a wallet’s authentication', () => {
  /** Client of a merchant that requires an authenticated cardholder. */
  let client: Client;
  let browserKey: string;
  beforeAll(async () => {
    const merchant = await api.fixtures.makeMerchant({ threeds_sandbox: 'required' });
    client = api.as(await merchant.makeKey());
    browserKey = await merchant.makeKey({ context: 'browser' });
  });

  async function authenticateByWallet(paymentId: string, choice: SheetChoice = {}): Promise<void> {
    const form = await mountWithWallets(api.stack, paymentId, browserKey);
    const body = walletBody(form, 'apple_pay', await requestWalletToken(form, 'apple_pay', choice));
    const answer = await send(body);
    expect(answer.result).toBe('verified');
  }

  async function makeAuthenticatedPayment(choice: SheetChoice = {}): Promise<string> {
    const { id } = await makeCardlessPayment(client);
    await authenticateByWallet(id, choice);
    return id;
  }

  const confirmRecord = async (
    type: string,
    id: string,
  ): Promise<[number, (string | undefined)[]]> => {
    const { status, body } = await client.send('PATCH', `/v2/${type}/${id}/confirm`);
    const pointers = (body.errors ?? []).map(({ source }) => source?.pointer);
    return [status, pointers];
  };
  const REFUSED = [422, expect.arrayContaining(['/data/attributes/threeds_status'])];
  const waitForAttributes = async (id: string) => (await waitForOutcome(client, id)).attributes;

  it('is not accepted once the vault has deleted its cryptogram', async () => {
    const paymentId = await makeAuthenticatedPayment();
    await withClient(api.stack.adminDatabaseUrl, (database) =>
      database.query('delete from vault.cvvs'),
    );
    expect(await confirmRecord('payment_demands', paymentId)).toEqual([200, []]);
    expect(await waitForAttributes(paymentId)).toMatchObject({
      status: 'failed',
      failure_reason: 'card_not_verified',
      threeds_status: null,
      eci: null,
    });
    expect(await confirmRecord('payment_demands', paymentId)).toEqual(REFUSED);
  });

  it('is not accepted for a retry after a decline, until a card is entered again', async () => {
    const paymentId = await makeAuthenticatedPayment({ card: 'generic_decline' });
    await confirmRecord('payment_demands', paymentId);
    expect(await waitForAttributes(paymentId)).toMatchObject({
      status: 'failed',
      threeds_status: null,
    });
    expect(await confirmRecord('payment_demands', paymentId)).toEqual(REFUSED);
    await authenticateByWallet(paymentId);
    expect(await confirmRecord('payment_demands', paymentId)).toEqual([200, []]);
    expect((await waitForAttributes(paymentId)).status).toBe('succeeded');
  });

  it('expires after a quarter of an hour', async () => {
    const paymentId = await makeAuthenticatedPayment();
    const [row] = await api.fixtures.db.query(
      `update payment_demands set wallet_until = wallet_until - interval '15 minutes' where id = $1
       returning wallet_until > now() - interval '2 minutes' as recent`,
      [paymentId],
    );
    expect(row?.recent).toBe('t');
    expect(await confirmRecord('payment_demands', paymentId)).toEqual(REFUSED);
  });

  it('serves one charge of a subscription, whose retry needs a card that is entered again', async () => {
    const { payer, billing_address } = (await makeCardlessPayment(client)).relationships;
    const toReference = (relationship: typeof payer) => relationship?.data as never;
    const relations = { payer: toReference(payer), billing_address: toReference(billing_address) };
    const { id } = await makeSubscription(client, {}, relations);
    await authenticateByWallet(id, { card: 'generic_decline' });
    expect(await confirmRecord('payment_subscriptions', id)).toEqual([200, []]);
    const readSubscription = async () =>
      (await client.fetch('payment_subscriptions', id)).attributes;
    await expect.poll(readSubscription, { timeout: 15_000 }).toMatchObject({
      failure_reason: 'generic_decline',
      threeds_status: null,
    });
    expect(await confirmRecord('payment_subscriptions', id)).toEqual(REFUSED);
    await authenticateByWallet(id);
    expect(await confirmRecord('payment_subscriptions', id)).toEqual([200, []]);
    await expect.poll(readSubscription, { timeout: 15_000 }).toMatchObject({ status: 'active' });
  });
});
