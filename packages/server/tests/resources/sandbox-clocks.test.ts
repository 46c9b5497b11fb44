import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { leaseClocks, releaseClock } from '../../src/features/timelines/sql/sandbox-clocks.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import {
  FAR_AHEAD,
  makeAddress,
  makeCustomer,
  makeParties,
  makeSubscription,
} from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  describeUnknownRelations,
  errorsOf,
} from '../support/resource-suite.ts';
import {
  advance,
  advanceAndWait,
  DAY_SECONDS,
  daysUntil,
  makeClock,
  waitForAdvance,
} from '../support/sandbox-clocks.ts';

const api = useApi();
const type = 'sandbox_clocks';
const YEAR_SECONDS = 366 * DAY_SECONDS;
const make = async (): Promise<ResourceObject> =>
  makeClock(api.client, await makeCustomer(api.client));

const remove = ({ id }: ResourceObject, client = api.client) =>
  client.send('PATCH', `/v2/${type}/${id}/remove`);

describe('a clock of the sandbox', () => {
  describeReads(api, type, make);
  describeRefusedMethods(api, type);
  describeRefusals(api, { type, validAttributes: {}, make }, [
    ['a name that is too long', { name: 'x'.repeat(101) }, 'too_long'],
    ['a time of its own', { ahead_seconds: 60 }, 'read_only'],
    ['a state of its own', { status: 'advancing' }, 'read_only'],
    ['an attribute that is not known', { speed: 2 }, 'unknown_attribute'],
  ]);
  describeUnknownRelations(api, { type, validAttributes: {}, make });

  it('has no offset and no target when it is new', async () => {
    const { attributes } = await make();
    expect(attributes).toMatchObject({ status: 'ready', ahead_seconds: 0, target_at: null });
  });

  it('is unique per merchant and per customer', async () => {
    const client = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    const customer = await makeCustomer(client);
    const [merchantClock, customerClock] = [
      await makeClock(client),
      await makeClock(client, customer),
    ];
    const postAgain = async (relations: Parameters<typeof documentOf>[2]) => {
      const answer = await client.send('POST', `/v2/${type}`, documentOf(type, {}, relations));
      const meta = answer.body.errors?.[0]?.meta;
      return [answer.status, ...errorsOf(answer).flat(), meta?.sandbox_clock];
    };
    expect(await postAgain({})).toEqual([422, 'clock_exists', '/data', merchantClock.id]);
    const pointer = '/data/relationships/customer';
    expect(await postAgain({ customer })).toEqual([422, 'clock_exists', pointer, customerClock.id]);
  });

  it('does not exist in live mode', async () => {
    const answer = await api.live.send('POST', `/v2/${type}`, documentOf(type, {}));
    expect([answer.status, errorsOf(answer)]).toEqual([403, [['forbidden', 'Authorization']]]);
    expect((await api.live.get(`/v2/${type}`)).body.data).toEqual([]);
  });

  /** Refuses every advance, so that tests can share it. */
  let unchangedClock: Promise<ResourceObject> | undefined;
  const timeIn = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
  it.each([
    ['nothing', () => ({}), 'blank', 'by_seconds'],
    ['both', () => ({ to: timeIn(60), by_seconds: 60 }), 'invalid', 'by_seconds'],
    ['the past', () => ({ to: timeIn(-60) }), 'invalid', 'to'],
    ['no time', () => ({ by_seconds: 0 }), 'too_small', 'by_seconds'],
    ['part of a second', () => ({ by_seconds: 1.5 }), 'invalid', 'by_seconds'],
    ['no instant', () => ({ to: 'tomorrow' }), 'invalid', 'to'],
    ['eleven years', () => ({ to: timeIn(11 * YEAR_SECONDS) }), 'too_large', 'to'],
    [
      'eleven years of seconds',
      () => ({ by_seconds: 11 * YEAR_SECONDS }),
      'too_large',
      'by_seconds',
    ],
    ['a speed', () => ({ by_seconds: 1, speed: 2 }), 'unknown_attribute', 'speed'],
  ] as const)('is not advanced by %s', async (_title, attributes, code, name) => {
    unchangedClock ??= make();
    const clock = await unchangedClock;
    const answer = await advance(api.client, clock, attributes());
    expect([answer.status, errorsOf(answer)]).toEqual([422, [[code, `/data/attributes/${name}`]]]);
    expect(await api.client.fetch(type, clock.id)).toEqual(clock);
  });

  it('advances to an instant, and from there to the next', async () => {
    const clock = await make();
    const to = timeIn(400 * DAY_SECONDS);
    const { status, body } = await advance(api.client, clock, { to });
    const { attributes } = body.data;
    expect([status, attributes.status, Date.parse(attributes.target_at)]).toEqual([
      200,
      'advancing',
      Date.parse(to),
    ]);
    const refusal = await advance(api.client, clock, { by_seconds: 1 });
    expect([refusal.status, errorsOf(refusal)]).toEqual([405, [['invalid_state', undefined]]]);
    const reachedAttributes = (await waitForAdvance(api.client, clock)).attributes;
    expect(reachedAttributes).toMatchObject({
      status: 'ready',
      target_at: null,
      from_at: attributes.from_at,
    });
    expect(Date.parse(reachedAttributes.reached_at)).toBeGreaterThanOrEqual(Date.parse(to));
    expect(reachedAttributes.ahead_seconds / DAY_SECONDS).toBeCloseTo(400, 2);
    const removalAnswer = await remove(clock);
    expect([removalAnswer.status, removalAnswer.body.errors?.[0]?.meta]).toEqual([
      405,
      { state: 'ready', allowed_actions: ['advance'] },
    ]);
  });

  it('is removed if that moves no record back, and allows a new one', async () => {
    const customer = await makeCustomer(api.client);
    const clock = await makeClock(api.client, customer);
    const { status, body } = await remove(clock);
    expect([status, body.data.attributes.status]).toEqual([200, 'removed']);
    expect(body.data.attributes.removed_at).not.toBeNull();
    for (const answer of [
      await remove(clock),
      await advance(api.client, clock, { by_seconds: 1 }),
    ]) {
      expect([answer.status, answer.body.errors?.[0]?.meta?.allowed_actions]).toEqual([405, []]);
    }
    await makeClock(api.client, customer);
  });

  it('that was removed is leased by no process, though its customer has work', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const merchant_id = merchant.id;
    const client = api.as(await merchant.makeKey());
    const parties = await makeParties(client);
    const clock = await makeClock(client, parties.payer as ResourceObject);
    await makeSubscription(
      client,
      { confirmed: true, billing_cycle_anchor_at: FAR_AHEAD },
      parties,
    );
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
    const lease = {
      holder: randomUUID(),
      lease_seconds: 1,
      limit: 1,
      keys: [{ merchant_id, id: clock.id }],
    };
    const leaseAt = (now: string) => leaseClocks(db, { ...lease, now });
    const laterTime = '2090-01-01T00:00:00Z';
    expect(await leaseAt(laterTime)).toEqual(lease.keys);
    await releaseClock(db, lease.holder, { merchant_id, id: clock.id });
    expect((await remove(clock, client)).status).toBe(200);
    expect(await leaseAt(laterTime)).toEqual([]);
  });

  it('of a customer is removed once the merchant’s clock has caught up, and keeps its records', async () => {
    const client = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    const merchantClock = await makeClock(client);
    const earlyClock = await makeClock(client, await makeCustomer(client));
    await advanceAndWait(client, merchantClock, 40 * DAY_SECONDS);
    const customer = await makeCustomer(client);
    const lateClock = await makeClock(client, customer);
    expect([
      (await remove(merchantClock, client)).status,
      (await remove(earlyClock, client)).status,
    ]).toEqual([405, 405]);
    expect((await remove(lateClock, client)).status).toBe(200);
    const address = await makeAddress(client, {}, { customer });
    expect(daysUntil(address.attributes.created_at)).toBe(40);
  });
});
