import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Client, documentOf, type ResourceObject } from '../support/client.ts';
import {
  makeDemand,
  makeListEntry,
  makeParties,
  makeSubscription,
  newestOf,
  waitForOutcome,
} from '../support/make.ts';

const api = useApi();

/** A separate merchant per test, whose rules no other test sees. */
let client: Client;
beforeEach(async () => {
  const merchant = await api.fixtures.makeMerchant();
  client = api.as(await merchant.makeKey());
});

async function refuse(...refused_mismatches: string[]): Promise<void> {
  const { id } = await newestOf(client, 'merchants');
  const document = documentOf('merchants', { refused_mismatches }, {}, id);
  expect((await client.send('PATCH', `/v2/merchants/${id}`, document)).status).toBe(200);
}

async function pay(card: string, attributes: object = {}): Promise<ResourceObject> {
  const parties = await makeParties(client, card);
  const { id } = await makeDemand(client, { confirmed: true, ...attributes }, parties);
  return waitForOutcome(client, id);
}

const recordsOf = async (type: string, { id }: ResourceObject): Promise<ResourceObject[]> =>
  (await client.get(`/v2/${type}?filter[payment_demand]=${id}`)).body.data;

const outcomeOf = ({ attributes: { status, failure_reason, risk_outcome } }: ResourceObject) => [
  failure_reason ?? status,
  risk_outcome?.rule ?? null,
];

describe('an approval with a failed check', () => {
  it.each([
    ['postal_code_mismatch', 'postal_code_verification'],
    ['address_mismatch', 'address_line1_verification'],
    ['cvc_mismatch', 'cvc2_check'],
  ])('of the card %s succeeds by default, and shows the check', async (card, check) => {
    const payment = await pay(card);
    const [attempt] = await recordsOf('payment_attempts', payment);
    expect(outcomeOf(payment)).toEqual(['succeeded', null]);
    const results = [payment, attempt as ResourceObject].map(({ attributes }) => [
      attributes.cvc2_check,
      attributes.address_line1_verification,
      attributes.postal_code_verification,
    ]);
    expect(results[0]).toEqual(results[1]);
    expect(results[0]?.filter((result) => result === 'mismatch')).toHaveLength(1);
    expect(payment.attributes[check]).toBe('mismatch');
  });

  it.each([
    ['postal_code_mismatch', 'card_not_verified'],
    ['address_mismatch', 'card_not_verified'],
    ['cvc_mismatch', 'incorrect_cvc'],
  ])('is reversed by the rule %s: no sale, no capture, no receipt', async (rule, reason) => {
    await refuse(rule);
    const payment = await pay(rule);
    expect(outcomeOf(payment)).toEqual([reason, rule]);
    expect(payment.attributes).toMatchObject({ amount_captured_cents: 0, fee_cents: 0 });
    const attempts = await recordsOf('payment_attempts', payment);
    expect(attempts.map(({ attributes }) => attributes.status)).toEqual(['reversed']);
    expect(await recordsOf('ledger_transfers', payment)).toEqual([]);
    expect(await recordsOf('capture_demands', payment)).toEqual([]);
    expect((await client.get('/v2/emails')).body.data).toEqual([]);
    const { body } = await client.get(`/v2/events?filter[resource_id]=${payment.id}`);
    const slugs = body.data.map(({ attributes }: ResourceObject) => attributes.slug);
    expect(slugs.toSorted()).toEqual(['created', 'failed']);
  });

  it('passes the rules about other checks', async () => {
    await refuse('address_mismatch', 'cvc_mismatch');
    expect(outcomeOf(await pay('postal_code_mismatch'))).toEqual(['succeeded', null]);
  });

  it('is reversed in place of a hold', async () => {
    await refuse('postal_code_mismatch');
    const payment = await pay('postal_code_mismatch', { capture_method: 'manual' });
    expect(outcomeOf(payment)).toEqual(['card_not_verified', 'postal_code_mismatch']);
    expect(payment.attributes.hold_expires_at).toBeNull();
  });

  it('is reversed although its response was lost', async () => {
    await refuse('postal_code_mismatch');
    const payment = await pay('postal_code_mismatch', { metadata: { simulate: 'lost_answer' } });
    expect(outcomeOf(payment)).toEqual(['card_not_verified', 'postal_code_mismatch']);
  });

  it('succeeds for a card of the allow list', async () => {
    await refuse('postal_code_mismatch');
    await makeListEntry(client, { list: 'allow', kind: 'bin', value: '400000' });
    expect(outcomeOf(await pay('postal_code_mismatch'))).toEqual(['succeeded', 'allow_list']);
  });

  it('fails the first charge of a subscription', async () => {
    await refuse('postal_code_mismatch');
    const parties = await makeParties(client, 'postal_code_mismatch');
    const { id } = await makeSubscription(client, { confirmed: true }, parties);
    const path = `/v2/payment_demands?filter[payment_subscription]=${id}`;
    const charge = await waitForOutcome(client, (await client.get(path)).body.data[0].id);
    expect(outcomeOf(charge)).toEqual(['card_not_verified', 'postal_code_mismatch']);
  });

  it('succeeds without the payer, whose earlier payment was accepted', async () => {
    const parties = await makeParties(client, 'postal_code_mismatch');
    const charge = async (attributes: object) => {
      const { id } = await makeDemand(client, { confirmed: true, ...attributes }, parties);
      return outcomeOf(await waitForOutcome(client, id));
    };
    const first = await charge({});
    await refuse('postal_code_mismatch');
    expect([first, await charge({ initiator: 'merchant' }), await charge({})]).toEqual([
      ['succeeded', null],
      ['succeeded', null],
      ['card_not_verified', 'postal_code_mismatch'],
    ]);
  });

  it('counts as a decline of the card', async () => {
    await refuse('cvc_mismatch');
    await client.make('velocity_limits', {
      kind: 'card_declines',
      window_seconds: 3600,
      max_count: 2,
    });
    const reasons = [];
    for (let payments = 0; payments < 3; payments++)
      reasons.push((await pay('cvc_mismatch')).attributes.failure_reason);
    expect(reasons).toEqual(['incorrect_cvc', 'incorrect_cvc', 'velocity_exceeded']);
  });
});

it.each([['postal_code'], [''], ['postal_code_mismatch', 3]])(
  'an unknown check %j is no rule',
  async (...refused_mismatches) => {
    const { id } = await newestOf(client, 'merchants');
    const document = documentOf('merchants', { refused_mismatches }, {}, id);
    expect((await client.send('PATCH', `/v2/merchants/${id}`, document)).status).toBe(422);
  },
);
