import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { makeCustomer } from '../support/make.ts';
import {
  describeLostRelations,
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  errorsOf,
} from '../support/resource-suite.ts';
import { advance, arrived, DAY_SECONDS, makeClock } from '../support/sandbox-clocks.ts';

const api = useApi();
const type = 'sandbox_clocks';
const YEAR_SECONDS = 366 * DAY_SECONDS;
const make = async (): Promise<ResourceObject> =>
  makeClock(api.client, await makeCustomer(api.client));

describe('a clock of the sandbox', () => {
  describeReads(api, type, make);
  describeRefusedMethods(api, type);
  describeRefusals(api, { type, valid: {}, make }, [
    ['a name that is too long', { name: 'x'.repeat(101) }, 'too_long'],
    ['a time of its own', { ahead_seconds: 60 }, 'read_only'],
    ['a state of its own', { status: 'advancing' }, 'read_only'],
    ['an attribute that is not known', { speed: 2 }, 'unknown_attribute'],
  ]);
  describeLostRelations(api, { type, valid: {}, make });

  it('is not ahead when it is new, and going nowhere', async () => {
    const { attributes } = await make();
    expect(attributes).toMatchObject({ status: 'ready', ahead_seconds: 0, target_at: null });
  });

  it('is the only one of its merchant, or its customer', async () => {
    const client = api.as(await (await api.books.makeMerchant()).key());
    const customer = await makeCustomer(client);
    const [own, of] = [await makeClock(client), await makeClock(client, customer)];
    const again = async (relations: Parameters<typeof documentOf>[2]) => {
      const answer = await client.send('POST', `/v2/${type}`, documentOf(type, {}, relations));
      const meta = answer.body.errors?.[0]?.meta;
      return [answer.status, ...errorsOf(answer).flat(), meta?.sandbox_clock];
    };
    expect(await again({})).toEqual([422, 'clock_exists', '/data', own.id]);
    const pointer = '/data/relationships/customer';
    expect(await again({ customer })).toEqual([422, 'clock_exists', pointer, of.id]);
  });

  it('is not of live mode', async () => {
    const answer = await api.live.send('POST', `/v2/${type}`, documentOf(type, {}));
    expect([answer.status, errorsOf(answer)]).toEqual([403, [['forbidden', 'Authorization']]]);
    expect((await api.live.get(`/v2/${type}`)).body.data).toEqual([]);
  });

  const at = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
  it.each([
    ['nothing', () => ({}), 'blank', 'by_seconds'],
    ['both', () => ({ to: at(60), by_seconds: 60 }), 'invalid', 'by_seconds'],
    ['the past', () => ({ to: at(-60) }), 'invalid', 'to'],
    ['no time', () => ({ by_seconds: 0 }), 'too_small', 'by_seconds'],
    ['part of a second', () => ({ by_seconds: 1.5 }), 'invalid', 'by_seconds'],
    ['no instant', () => ({ to: 'tomorrow' }), 'invalid', 'to'],
    ['eleven years', () => ({ to: at(11 * YEAR_SECONDS) }), 'too_large', 'to'],
    [
      'eleven years of seconds',
      () => ({ by_seconds: 11 * YEAR_SECONDS }),
      'too_large',
      'by_seconds',
    ],
    ['a speed', () => ({ by_seconds: 1, speed: 2 }), 'unknown_attribute', 'speed'],
  ] as const)('is not advanced by %s', async (_what, attributes, code, name) => {
    const clock = await make();
    const answer = await advance(api.client, clock, attributes());
    expect([answer.status, errorsOf(answer)]).toEqual([422, [[code, `/data/attributes/${name}`]]]);
    expect(await api.client.fetch(type, clock.id)).toEqual(clock);
  });

  it('goes to an instant, and then on from there', async () => {
    const clock = await make();
    const to = at(400 * DAY_SECONDS);
    const { status, body } = await advance(api.client, clock, { to });
    const { attributes } = body.data;
    expect([status, attributes.status, Date.parse(attributes.target_at)]).toEqual([
      200,
      'advancing',
      Date.parse(to),
    ]);
    const refused = await advance(api.client, clock, { by_seconds: 1 });
    expect([refused.status, errorsOf(refused)]).toEqual([405, [['invalid_state', undefined]]]);
    const there = (await arrived(api.client, clock)).attributes;
    expect(there).toMatchObject({ status: 'ready', target_at: null, from_at: attributes.from_at });
    expect(Date.parse(there.reached_at)).toBeGreaterThanOrEqual(Date.parse(to));
    expect(there.ahead_seconds / DAY_SECONDS).toBeCloseTo(400, 2);
  });
});
