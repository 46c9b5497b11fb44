import { randomUUID } from 'node:crypto';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RETRY_SECONDS } from '../../src/features/disputes/quarantine.ts';
import type { Row } from '../../src/platform/database/row.ts';
import type { NetworkProcessor } from '../../src/processors/port/processor.ts';
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
const publishedNotifications: { readonly position: number }[] = [];
/** Polls of each mode's processor, and whether its adapter is broken. */
const polls = { live: { notifications: 0, files: 0 }, sandbox: { notifications: 0, files: 0 } };
const isBroken = { live: false, sandbox: false };

/** A processor with the dispute notifications of a test, in the network's format. */
function createTestProcessor(name: string, mode: Mode, simulatorUrl: string): NetworkProcessor {
  const processor = createSandboxProcessor({ simulatorUrl });
  const { list } = processor.disputes;
  const countPoll = (kind: 'notifications' | 'files'): void => {
    if (isBroken[mode]) throw new Error('the adapter is broken');
    polls[mode][kind] += 1;
  };
  let afterPosition = 0;
  return {
    ...processor,
    metadata: { ...processor.metadata, name },
    disputes: {
      ...processor.disputes,
      list: {
        mapRequest(input) {
          countPoll('notifications');
          afterPosition = input.after;
          return list.mapRequest(input);
        },
        mapAnswer() {
          const disputes =
            mode === 'live'
              ? []
              : publishedNotifications.filter(({ position }) => position > afterPosition);
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
      createTestProcessor('elsewhere', 'live', simulatorUrl),
      createTestProcessor('sandbox', 'sandbox', simulatorUrl),
    ];
    const processorPair = [live, sandbox];
    return {
      of: (mode) => (mode === 'live' ? live : sandbox),
      findByName: (name) => processorPair.find(({ metadata }) => metadata.name === name),
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
function publish(...notifications: readonly object[]): void {
  const firstPosition = publishedNotifications.length + 1;
  publishedNotifications.push(
    ...notifications.map((notification, at) => ({
      position: firstPosition + at,
      reference: `dispute-${randomUUID()}`,
      currency: 'USD',
      reason: 'general',
      status: 'open',
      ...notification,
    })),
  );
  clock.wake();
}

const findAttemptId = async (paymentId: string): Promise<string> => {
  const [row] = await api.fixtures.db.query(
    `select id from attempts where payment_demand_id = $1 and operation = 'authorise'`,
    [paymentId],
  );
  return row?.id as string;
};

const makePayment = async (amount_cents: number) => {
  const { id } = await makeCapturedPayment(api.client, { amount_cents });
  return { id, authorisation: await findAttemptId(id) };
};

const readQuarantinedRows = (): Promise<Row[]> =>
  api.fixtures.db.query('select problem, attempt_id from waiting_disputes order by position', []);

const statusOf = async (id: string) =>
  (await api.client.fetch('payment_demands', id)).attributes.status;

const readQuarantineMetrics = async (): Promise<string[]> => {
  const text = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('florin_quarantined_disputes{'));
};

describe('dispute notifications', () => {
  it('that cannot be read or stored are quarantined with their problem, and do not block later ones', async () => {
    const [badPayment, goodPayment] = [await makePayment(2_000), await makePayment(3_000)];
    publish(
      { authorisation: goodPayment.authorisation, amount: -1 },
      { authorisation: badPayment.authorisation, amount: REFUSED_CENTS },
      { authorisation: goodPayment.authorisation, amount: 1_000 },
    );
    expect((await waitForDispute(api.client, goodPayment.id)).attributes.amount_cents).toBe(1_000);
    expect(await statusOf(badPayment.id)).toBe('succeeded');
    expect(await readQuarantinedRows()).toEqual([
      { problem: 'unreadable', attempt_id: null },
      { problem: 'not_stored', attempt_id: badPayment.authorisation },
    ]);
    expect(await readQuarantineMetrics()).toEqual([
      'florin_quarantined_disputes{mode="sandbox",problem="not_stored"} 1',
      'florin_quarantined_disputes{mode="sandbox",problem="unreadable"} 1',
    ]);

    await api.fixtures.db.query('drop trigger refused on disputes', []);
    clock.advance(RETRY_SECONDS + 1);
    expect((await waitForDispute(api.client, badPayment.id)).attributes.amount_cents).toBe(
      REFUSED_CENTS,
    );
    expect((await readQuarantinedRows()).map(({ problem }) => problem)).toEqual(['unreadable']);
  });

  it('of uncaptured payments, or in another currency, are stored for an operator', async () => {
    await api.fixtures.db.query('delete from waiting_disputes', []);
    const relations = await makeParties(api.client, 'lost_card');
    const { id } = await makeDemand(api.client, { confirmed: true }, relations);
    await waitForOutcome(api.client, id);
    const [declinedAttemptId, unknownAttemptId] = [await findAttemptId(id), randomUUID()];
    const [euroPayment, goodPayment] = [await makePayment(2_000), await makePayment(3_000)];
    publish(
      { authorisation: declinedAttemptId, amount: 100 },
      { authorisation: unknownAttemptId, amount: 100 },
      { authorisation: euroPayment.authorisation, amount: 100, currency: 'EUR' },
      { authorisation: goodPayment.authorisation, amount: 100 },
    );
    await waitForDispute(api.client, goodPayment.id);
    const expected = [
      { problem: 'not_approved', attempt_id: declinedAttemptId },
      { problem: 'unknown_payment', attempt_id: unknownAttemptId },
      { problem: 'other_currency', attempt_id: euroPayment.authorisation },
    ];
    expect(await readQuarantinedRows()).toEqual(expected);
    expect(await statusOf(euroPayment.id)).toBe('succeeded');
    await api.fixtures.db.query('delete from waiting_disputes', []);
  });

  it('of a hold wait for its capture', async () => {
    const hold = await makeAuthorisedPayment(api.client, { amount_cents: 4_000 });
    const goodPayment = await makePayment(3_000);
    publish(
      { authorisation: await findAttemptId(hold.id), amount: 4_000 },
      { authorisation: goodPayment.authorisation, amount: 100 },
    );
    await waitForDispute(api.client, goodPayment.id);
    expect((await readQuarantinedRows()).map(({ problem }) => problem)).toEqual([null]);
    const capture = await makeCapture(api.client, hold);
    await waitForOutcome(api.client, capture.id, 'capture_demands');
    await waitForDispute(api.client, hold.id);
    expect(await statusOf(hold.id)).toBe('disputed');
    expect(await readQuarantinedRows()).toEqual([]);
  });
});

describe.each([
  ['sandbox', 'live'],
  ['live', 'sandbox'],
] as const)('a broken processor of %s', (brokenMode, otherMode) => {
  afterEach(() => {
    isBroken[brokenMode] = false;
  });

  it(`blocks neither disputes nor settlement of ${otherMode}`, async () => {
    isBroken[brokenMode] = true;
    const pollsBefore = { ...polls[otherMode] };
    clock.advance(2 * DAY_SECONDS);
    const afterPosition = await eventually(
      async () => polls[otherMode],
      ({ notifications, files }) =>
        notifications > pollsBefore.notifications && files > pollsBefore.files,
    );
    expect(afterPosition.notifications).toBeGreaterThan(pollsBefore.notifications);
    expect(afterPosition.files).toBeGreaterThan(pollsBefore.files);
  });
});
