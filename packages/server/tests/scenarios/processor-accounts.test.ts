import { describe, expect, it } from 'vitest';
import { API_KEY, useAccountsStack } from '../support/accounts-stack.ts';
import { signIn } from '../support/browser.ts';
import { type Client, UNKNOWN_ID } from '../support/client.ts';
import { beginPayment, enterCard, submitConfirmation } from '../support/link-visit.ts';
import { makeLink, waitForOutcome } from '../support/make.ts';
import { describeAccountChanges } from './processor-accounts/changes.ts';
import { describeAccountPayments } from './processor-accounts/payments.ts';
import { describeAccountRemoval } from './processor-accounts/removal.ts';

const florin = useAccountsStack();

describe('an account at a processor', () => {
  it('takes payments when the processor accepts its credentials', async () => {
    const id = await florin.createAccount('Europe', florin.networks.eu);
    expect(await florin.statusOf(id)).toBe('untested');
    expect((await florin.act(id, 'check')).body.data).toEqual({ accepted: true, failure: null });
    expect((await florin.act(id, 'enable')).status).toBe(204);
    await florin.setRules([{ name: 'All', accounts: [id] }]);
    const approvedBefore = await florin.countApproved(florin.networks.eu);
    const payment = await florin.pay({});
    expect(payment.status).toBe('succeeded');
    expect(await florin.countApproved(florin.networks.eu)).toBe(approvedBefore + 1);
    const attempt = await florin.attemptOf(payment.id);
    expect(attempt).toMatchObject({
      processor: 'example',
      processor_account_id: id,
      processor_reference: `psp-${attempt?.id}`,
    });
    expect(JSON.parse(attempt?.codes as string)).toEqual({ response: '00' });
    const route = { rule: 'All', candidates: [id], fallback: 'not_sent', refused: [] };
    expect(JSON.parse(attempt?.route as string)).toEqual({ ...route, account: 'Europe' });
  });

  it('opens live mode, without a rule', async () => {
    await expect(makeLink(florin.live)).rejects.toThrow('no_processor');
    const id = await florin.createAccount('Live', florin.networks.eu, { mode: 'live' });
    expect((await florin.act(id, 'enable')).status).toBe(204);
    const payment = await beginPayment(florin.stack, await makeLink(florin.live));
    expect((await enterCard(payment)).result).toBe('verified');
    expect(await submitConfirmation(payment)).toBe(200);
    const paid = await waitForOutcome(florin.live, payment.payment_id);
    expect(paid.attributes.status).toBe('succeeded');
    expect((await florin.attemptOf(payment.payment_id))?.processor_account_id).toBe(id);
    await florin.act(id, 'pause');
    await florin.removeForGood(id);
    await expect(makeLink(florin.live)).rejects.toThrow('no_processor');
  });

  it('is not enabled with credentials that the processor refuses', async () => {
    const id = await florin.createAccount('Wrong', florin.refusingUrl);
    const { status, body } = await florin.act(id, 'enable');
    expect([status, body.errors[0].detail]).toEqual([
      422,
      'Example Pay refused the credentials: it answered 401. The account was not enabled.',
    ]);
    expect(await florin.statusOf(id)).toBe('untested');
    expect(
      (await florin.operator.get(`/processor_accounts/${id}`)).body.data.check_failure,
    ).toContain('401');
  });

  it('says which origin the vault may not send to', async () => {
    const id = await florin.createAccount('Elsewhere', 'http://127.0.0.1:9');
    expect((await florin.act(id, 'enable')).body.errors[0].detail).toContain(
      'the vault may not send to http://127.0.0.1:9. Add this origin to VAULT_EGRESS',
    );
  });

  it('never shows a secret, and keeps none in the database of the server', async () => {
    const id = await florin.connect('Secret', florin.networks.eu);
    const answers = [
      await florin.operator.get('/processor_accounts'),
      await florin.operator.get(`/processor_accounts/${id}`),
      await florin.operator.get('/processors'),
    ];
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(API_KEY);
    expect(answers[1]?.body.data.secret_names).toEqual(['api_key']);
    const stored = await florin.db.query(
      `select a::text as row from processor_accounts a union all select e::text from processor_account_entries e`,
      [],
    );
    expect(JSON.stringify(stored)).not.toContain(API_KEY);
  });

  it('records who did what, newest first', async () => {
    const id = await florin.connect('Audited', florin.networks.eu);
    await florin.act(id, 'pause');
    const { entries } = (await florin.operator.get(`/processor_accounts/${id}`)).body.data;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'paused',
      'enabled',
      'checked',
      'created',
    ]);
    expect(entries[0].account_email).toBe(florin.stack.credentials.account.email);
    const settings = { origin: florin.networks.eu };
    const change = { name: 'Renamed', currencies: ['EUR', 'USD'], settings, secrets: {} };
    const changesOf = async () => {
      const path = `/processor_accounts/${id}`;
      expect((await florin.operator.send('PUT', path, change)).status).toBe(204);
      return (await florin.operator.get(path)).body.data.entries[0].details.changed;
    };
    expect(await changesOf()).toEqual(['name', 'currencies']);
    expect(await changesOf()).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'an unknown processor',
      { processor: 'nobody' },
      'processor must be a registered processor: example, two_step.',
    ],
    ['a missing secret', { secrets: {} }, 'secrets.api_key is required: Example Pay needs it.'],
    [
      'an unknown currency',
      { currencies: ['XXX'] },
      'currencies has the value XXX that Florin does not know.',
    ],
    [
      'an unknown merchant',
      { merchant_id: UNKNOWN_ID },
      `merchant_id names no merchant: ${UNKNOWN_ID}.`,
    ],
  ])('with %s is refused by name', async (_, change, detail) => {
    const { status, body } = await florin.operator.send(
      'POST',
      '/processor_accounts',
      florin.draftOf('Refused', florin.networks.eu, change),
    );
    expect([status, body.errors[0].detail]).toEqual([422, detail]);
  });

  it('has a name of its own in its mode', async () => {
    await florin.createAccount('Twice', florin.networks.eu);
    const draft = florin.draftOf('Twice', florin.networks.us);
    expect((await florin.operator.send('POST', '/processor_accounts', draft)).status).toBe(422);
  });
});

describe('the record of a merchant at a processor', () => {
  const recordsOf = async (shop: Client) =>
    (await shop.get('/v2/processor_details?filter[kind]=other')).body.data;
  const stateOf = async (shop: Client) =>
    (await recordsOf(shop)).at(0)?.attributes.processing_state;

  it('appears when an account is enabled, and follows it; attempts name it', async () => {
    const earlier = (await recordsOf(florin.client)).length;
    const id = await florin.createAccount('Recorded', florin.networks.eu);
    expect(await recordsOf(florin.client)).toHaveLength(earlier);
    await florin.act(id, 'enable');
    await florin.setRules([{ name: 'All', accounts: [id] }]);
    const [record] = await recordsOf(florin.client);
    expect(record.attributes).toMatchObject({
      kind: 'other',
      onboarding_state: 'approved',
      processing_state: 'enabled',
    });
    const payment = await florin.pay({});
    const { body } = await florin.client.get(
      `/v2/payment_demands/${payment.id}?include=payment_attempts.processor_detail`,
    );
    expect(body.included?.at(-1)?.id).toBe(record.id);
    const watched = { onboarding_state: 'approved', processing_state: 'monitoring' };
    const merchant_id = record.relationships.merchant.data.id;
    const path = `/merchants/${merchant_id}/sandbox/processor_details/${record.id}`;
    expect((await florin.operator.send('PATCH', path, watched)).status).toBe(204);
    const disabled = { ...watched, processing_state: 'disabled' };
    expect((await florin.operator.send('PATCH', path, disabled)).status).toBe(422);
    for (const [action, state] of [
      ['pause', 'disabled'],
      ['enable', 'enabled'],
      ['pause', 'disabled'],
      ['remove', 'disabled'],
    ] as const) {
      await florin.act(id, action, { give_up_refunds: true });
      expect([action, await stateOf(florin.client)]).toEqual([action, state]);
    }
    expect(await recordsOf(florin.client)).toHaveLength(earlier + 1);
  });

  it('exists for each merchant that may use the account, also for a later one, and shows no setting', async () => {
    const [own] = await florin.db.query('select id from merchants limit 1', []);
    const shared = await florin.createAccount('Of all', florin.networks.eu);
    const single = await florin.createAccount('Of one', florin.networks.us, {
      merchant_id: own?.id,
    });
    await florin.act(shared, 'enable');
    await florin.act(single, 'enable');
    const person = await signIn(florin.stack.baseUrl, florin.stack.credentials.account);
    const opened = await person.send('POST', '/dashboard/api/merchants', { business_name: 'New' });
    expect(opened.status).toBe(201);
    const countAt = (account: string) =>
      florin.db.query('select merchant_id from processor_details where processor_account_id = $1', [
        account,
      ]);
    const [merchants] = await florin.db.query('select count(*)::int as count from merchants', []);
    expect((await countAt(shared)).length).toBe(Number(merchants?.count));
    expect(await countAt(single)).toEqual([{ merchant_id: own?.id }]);
    const headers = { 'florin-merchant': opened.body.id, 'florin-mode': 'sandbox' };
    const { body } = await person.get('/v2/processor_details', headers);
    expect(body.data).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain(florin.networks.eu);
    expect(JSON.stringify(body)).not.toContain(shared);
  });
});

describeAccountChanges(florin);
describeAccountPayments(florin);
describeAccountRemoval(florin);
