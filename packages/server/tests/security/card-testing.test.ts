import { describe, expect, it } from 'vitest';
import { tryLimits } from '../../src/features/checkout/try-limits.ts';
import { useOwnStack } from '../support/api.ts';
import {
  attackLink,
  enterCard,
  floodLink,
  type OpenForm,
  openForm,
} from '../support/card-testing.ts';
import type { Client, ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { makeLink } from '../support/make.ts';
import { simulateLive } from '../support/simulated-live.ts';

const HOUR_SECONDS = 3_600;
/** `npm run test:card-testing` sets these for the whole attack. */
const numberFrom = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const plan = {
  cards: numberFrom('FLORIN_ATTACK_CARDS', 240),
  addresses: numberFrom('FLORIN_ATTACK_ADDRESSES', 12),
  at_once: 10,
  cards_per_payer: 100,
};
const hours = numberFrom('FLORIN_ATTACK_HOURS', 1);
const seconds_per_card = (hours * HOUR_SECONDS) / plan.cards;
/** One percent of ten thousand cards. */
const ANSWERS_MAX = 100;

const clock = createClockAhead();
const api = useOwnStack({
  config: { clock, trusted_proxies: ['127.0.0.1', '::1'] },
  processors: simulateLive(),
});

/** A client of a new merchant, and a link for live payments. */
async function makeShop(): Promise<{ client: Client; link: ResourceObject }> {
  const merchant = await api.fixtures.makeMerchant({ threeds_live: 'off' });
  const client = api.as(await merchant.makeKey({ mode: 'live' }));
  return { client, link: await makeLink(client) };
}

const codesOfAlerts = async (client: Client): Promise<unknown[]> =>
  (await client.get('/v2/account_alerts')).body.data.map(
    ({ attributes }: ResourceObject) => attributes.code,
  );

const open = async (link: ResourceObject, ip: string): Promise<OpenForm> =>
  (await openForm(api.stack, link, ip)) as OpenForm;

describe('stolen cards tried at a payment link, from many addresses', () => {
  it('get next to no answers, and the merchant and the operator learn of it', async () => {
    const { client, link } = await makeShop();
    const outcome = await attackLink(api.stack, link, plan, (cards) =>
      clock.advanceSilently(cards * seconds_per_card),
    );
    process.stdout.write(`${JSON.stringify({ ...plan, hours, ...outcome })}\n`);
    expect(outcome.answered + outcome.refused).toBe(plan.cards);
    expect(outcome.answered).toBeLessThan(ANSWERS_MAX);
    expect(await codesOfAlerts(client)).toEqual(expect.arrayContaining(['card_testing']));
    const metrics = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(/florin_card_attempts_refused_total\{mode="live",limit="key_/);
  });

  it('do not shut out customers who paid the merchant before', async () => {
    const { link } = await makeShop();
    const customer = await open(link, '198.51.100.1');
    expect(await enterCard(api.stack, customer, '198.51.100.1')).toBe('approved');
    const { refused } = await attackLink(api.stack, link, { ...plan, cards: 70 }, () => {});
    expect(refused).toBeGreaterThan(0);
    const [stranger, returning] = [
      await open(link, '198.51.100.2'),
      await open(link, '198.51.100.3'),
    ];
    expect(await enterCard(api.stack, stranger, '198.51.100.2')).toBe('refused');
    await api.fixtures.db.query(
      `update payment_demands set payer_id = (select payer_id from payment_demands where id = $1)
       where id = $2`,
      [customer, returning].map(({ config }) => config.payment_id),
    );
    expect(await enterCard(api.stack, returning, '198.51.100.3')).toBe('approved');
  });
});

describe('one laptop', () => {
  it.each([
    ['texts that are no card', 'unreadable'],
    ['different cards', 'readable'],
  ] as const)('cannot close a link for new payers with %s', async (_title, kind) => {
    const { link } = await makeShop();
    const entries = await floodLink(api.stack, link, '198.51.100.20', CARDS_OF_AN_HOUR, kind);
    const answered = entries.filter((entry) => entry === 'failed').length;
    expect(answered).toBeLessThanOrEqual(CARDS_OF_A_NETWORK);
    const payer = await open(link, '203.0.113.7');
    expect(await enterCard(api.stack, payer, '203.0.113.7')).toBe('approved');
  });
});

/** An address may try so many cards within an hour, at all keys. */
const CARDS_OF_AN_HOUR = tryLimits.address_hour.max;
const CARDS_OF_A_NETWORK = tryLimits.key_network.max;

describe('a declined charge', () => {
  it('counts for address, network, key and payer when it happens, once', async () => {
    const { link } = await makeShop();
    const ip = '198.51.100.9';
    // The server deletes expired counts of other tests at any time.
    await api.fixtures.db.query('delete from card_tries', []);
    const countOf = async (): Promise<number> =>
      Number(
        (
          await api.fixtures.db.query('select coalesce(sum(tries), 0) as sum from card_tries', [])
        )[0]?.sum,
      );
    const form = await open(link, ip);
    const before = await countOf();
    expect(await enterCard(api.stack, form, ip, 'generic_decline')).toBe('failed');
    const declined = await countOf();
    expect(await enterCard(api.stack, await open(link, ip), ip, 'visa')).toBe('approved');
    const approved = await countOf();
    // Address by hour and day, prefix, key and payer.
    expect(declined - before - (approved - declined)).toBe(5 - STARTS);
  });
});

/** Counters of a begun payment: address and link. */
const STARTS = 2;
