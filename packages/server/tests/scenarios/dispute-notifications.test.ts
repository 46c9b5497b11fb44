import { randomUUID } from 'node:crypto';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RETRY_SECONDS } from '../../src/features/disputes/quarantine.ts';
import type { Row } from '../../src/platform/database/row.ts';
import type { Processor } from '../../src/processors/processor.ts';
import { createSandboxProcessor } from '../../src/processors/sandbox/index.ts';
import { useOwnStack } from '../support/api.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  waitForDispute,
  waitForOutcome,
} from '../support/make.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** Dispute notifications of the network in these tests, by position. */
const published: { readonly position: number }[] = [];
/** Polls of each mode's processor, and whether its adapter is broken. */
const polls = { live: { news: 0, files: 0 }, sandbox: { news: 0, files: 0 } };
const isBroken = { live: false, sandbox: false };

/** A processor with the dispute notifications of a test, in the network's format. */
function processorWithNews(name: string, mode: Mode, simulatorUrl: string): Processor {
  const processor = createSandboxProcessor({ simulatorUrl });
  const { list } = processor.disputes;
  const countPoll = (what: 'news' | 'files'): void => {
    if (isBroken[mode]) throw new Error('the adapter is broken');
    polls[mode][what] += 1;
  };
  let after = 0;
  return {
    ...processor,
    metadata: { ...processor.metadata, name },
    disputes: {
      ...processor.disputes,
      list: {
        mapRequest(input) {
          countPoll('news');
          after = input.after;
          return list.mapRequest(input);
        },
        mapAnswer() {
          const disputes =
            mode === 'live' ? [] : published.filter(({ position }) => position > after);
          return list.mapAnswer({ outcome: 'answered', status: 200, body: { disputes } });
        },
      },
    },
    settlement: {
      ...processor.settlement,
      mapRequest(input) {
        countPoll('files');
        return processor.settlement.mapRequest(input);
      },
    },
  };
}

const clock = createClockAhead();
const api = useOwnStack({
  config: { clock },
  now: () => new Date(clock.now() / 1000),
  processors: ({ simulatorUrl }) => {
    const [live, sandbox] = [
      processorWithNews('elsewhere', 'live', simulatorUrl),
      processorWithNews('sandbox', 'sandbox', simulatorUrl),
    ];
    const all = [live, sandbox];
    return {
      of: (mode) => (mode === 'live' ? live : sandbox),
      findByName: (name) => all.find(({ metadata }) => metadata.name === name),
    };
  },
});

/** The database refuses this amount in these tests: an unexpected error. */
const REFUSED_CENTS = 666;
beforeAll(() =>
  api.fixtures.db.query(
    `create function refuse() returns trigger language plpgsql as
       $$ begin raise 'nobody foresaw this'; end $$;
     create trigger refused before insert on disputes for each row when (new.amount_cents = ${REFUSED_CENTS})
       execute function refuse()`,
    [],
  ),
);

/** The network sends dispute notifications, one after the other. */
function publish(...news: readonly object[]): void {
  const from = published.length + 1;
  published.push(
    ...news.map((one, at) => ({
      position: from + at,
      reference: `dispute-${randomUUID()}`,
      currency: 'USD',
      reason: 'general',
      status: 'open',
      ...one,
    })),
  );
  clock.wake();
}

const attemptOf = async (payment: string): Promise<string> => {
  const [row] = await api.fixtures.db.query(
    `select id from attempts where payment_demand_id = $1 and operation = 'authorise'`,
    [payment],
  );
  return row?.id as string;
};

const paidFor = async (amount_cents: number) => {
  const { id } = await makeCapturedPayment(api.client, { amount_cents });
  return { id, authorisation: await attemptOf(id) };
};

const quarantinedRows = (): Promise<Row[]> =>
  api.fixtures.db.query('select problem, attempt_id from waiting_disputes order by position', []);

const statusOf = async (id: string) =>
  (await api.client.fetch('payment_demands', id)).attributes.status;

const readQuarantine = async (): Promise<string[]> => {
  const text = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('florin_quarantined_disputes{'));
};

describe('dispute notifications', () => {
  it('that cannot be read or stored are quarantined with their problem, and do not block later ones', async () => {
    const [bad, good] = [await paidFor(2_000), await paidFor(3_000)];
    publish(
      { authorisation: good.authorisation, amount: -1 },
      { authorisation: bad.authorisation, amount: REFUSED_CENTS },
      { authorisation: good.authorisation, amount: 1_000 },
    );
    expect((await waitForDispute(api.client, good.id)).attributes.amount_cents).toBe(1_000);
    expect(await statusOf(bad.id)).toBe('succeeded');
    expect(await quarantinedRows()).toEqual([
      { problem: 'unreadable', attempt_id: null },
      { problem: 'not_stored', attempt_id: bad.authorisation },
    ]);
    expect(await readQuarantine()).toEqual([
      'florin_quarantined_disputes{mode="sandbox",problem="not_stored"} 1',
      'florin_quarantined_disputes{mode="sandbox",problem="unreadable"} 1',
    ]);

    await api.fixtures.db.query('drop trigger refused on disputes', []);
    clock.advance(RETRY_SECONDS + 1);
    expect((await waitForDispute(api.client, bad.id)).attributes.amount_cents).toBe(REFUSED_CENTS);
    expect((await quarantinedRows()).map(({ problem }) => problem)).toEqual(['unreadable']);
  });

  it('of uncaptured payments, or in another currency, are stored for an operator', async () => {
    await api.fixtures.db.query('delete from waiting_disputes', []);
    const relations = await makeParties(api.client, 'lost_card');
    const { id } = await makeDemand(api.client, { confirmed: true }, relations);
    await waitForOutcome(api.client, id);
    const [declined, foreign] = [await attemptOf(id), randomUUID()];
    const [euro, good] = [await paidFor(2_000), await paidFor(3_000)];
    publish(
      { authorisation: declined, amount: 100 },
      { authorisation: foreign, amount: 100 },
      { authorisation: euro.authorisation, amount: 100, currency: 'EUR' },
      { authorisation: good.authorisation, amount: 100 },
    );
    await waitForDispute(api.client, good.id);
    const expected = [
      { problem: 'not_approved', attempt_id: declined },
      { problem: 'unknown_payment', attempt_id: foreign },
      { problem: 'other_currency', attempt_id: euro.authorisation },
    ];
    expect(await quarantinedRows()).toEqual(expected);
    expect(await statusOf(euro.id)).toBe('succeeded');
    await api.fixtures.db.query('delete from waiting_disputes', []);
  });

  it('of a hold wait for its capture', async () => {
    const hold = await makeAuthorisedPayment(api.client, { amount_cents: 4_000 });
    const good = await paidFor(3_000);
    publish(
      { authorisation: await attemptOf(hold.id), amount: 4_000 },
      { authorisation: good.authorisation, amount: 100 },
    );
    await waitForDispute(api.client, good.id);
    expect((await quarantinedRows()).map(({ problem }) => problem)).toEqual([null]);
    const capture = await makeCapture(api.client, hold);
    await waitForOutcome(api.client, capture.id, 'capture_demands');
    await waitForDispute(api.client, hold.id);
    expect(await statusOf(hold.id)).toBe('disputed');
    expect(await quarantinedRows()).toEqual([]);
  });
});

describe.each([
  ['sandbox', 'live'],
  ['live', 'sandbox'],
] as const)('a broken processor of %s', (broken, other) => {
  afterEach(() => {
    isBroken[broken] = false;
  });

  it(`block neither disputes nor settlement of ${other}`, async () => {
    isBroken[broken] = true;
    const before = { ...polls[other] };
    clock.advance(2 * DAY_SECONDS);
    const after = await eventually(
      async () => polls[other],
      ({ news, files }) => news > before.news && files > before.files,
    );
    expect(after.news).toBeGreaterThan(before.news);
    expect(after.files).toBeGreaterThan(before.files);
  });
});
