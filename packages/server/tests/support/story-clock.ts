import {
  type Clock,
  instantText,
  microsOf,
  seconds,
  systemClock,
} from '@florin/server/platform/time/clock.ts';
import { createSignal } from '@florin/server/platform/workers/signal.ts';
import { expect } from 'vitest';
import {
  type Answer,
  type Client,
  documentOf,
  type Relations,
  type ResourceObject,
} from './client.ts';
import { makeMethod, makeParties, makeSubscription, newestOf } from './make.ts';

/** A clock that starts at a story's instant, runs at normal speed, and can be moved forward. */
export interface StoryClock extends Clock {
  moveTo(at: string): void;
  advance(duration_s: number): void;
}

export function createStoryClock(start: string): StoryClock {
  const system = systemClock();
  const moved = createSignal();
  let offset = microsOf(start) - system.now();
  return {
    now: () => system.now() + offset,
    moved,
    moveTo(at) {
      const newOffset = microsOf(at) - system.now();
      if (newOffset < offset) throw new Error(`the story is past ${at} already`);
      offset = newOffset;
      moved.raise();
    },
    advance(duration_s) {
      offset += seconds(duration_s);
      moved.raise();
    },
  };
}

/** Expected charges and events since the story's last check. */
export interface ExpectedChanges {
  /** Charges with their outcomes: `2027-01-31 10:00 renewal 2500 succeeded`. */
  readonly charges?: readonly string[];
  /** Events of the subscription, in order. */
  readonly events?: readonly string[];
  /** Expected attributes of the subscription. */
  readonly subscription?: object;
}

/** Expected result of a successful first charge. */
export const firstChargeChanges = (line: string): ExpectedChanges => ({
  charges: [`${line} succeeded`],
  events: ['created', 'updated', 'updated'],
});
/** Expected result of a successful renewal. */
export const renewalChanges = (line: string): ExpectedChanges => ({
  charges: [`${line} succeeded`],
  events: ['updated', 'updated'],
});
/** Adds the event of a card change since the last check. */
export const withCardChange = (changes: ExpectedChanges): ExpectedChanges => ({
  ...changes,
  events: ['updated', ...(changes.events ?? [])],
});
export const upcomingChanges: ExpectedChanges = { events: ['upcoming'] };
export const pauseChanges: ExpectedChanges = {
  events: ['updated', 'paused'],
  subscription: { status: 'paused' },
};
export const resumeChanges: ExpectedChanges = {
  events: ['updated', 'resumed'],
  subscription: { status: 'active' },
};
export const cancellationChanges: ExpectedChanges = {
  events: ['updated', 'cancelled'],
  subscription: { status: 'cancelled' },
};

/** Tests one subscription over time. */
export interface Story {
  readonly id: string;
  /** Moves the clock, waits for all due work, and checks that exactly the expected charges and events occurred. */
  at(time: string, expected?: ExpectedChanges): Promise<void>;
  /** Checks the effect of the latest request. */
  expectChanges(expected: ExpectedChanges): Promise<void>;
  callAction(action: string): Promise<Answer>;
  update(attributes: object, relations?: Relations): Promise<void>;
  /** Gives the subscription a new card of its customer. */
  setCard(cardName: string): Promise<void>;
  /** Requests a change or a preview of a change; returns the record. */
  change(attributes: object, relations?: Relations): Promise<ResourceObject>;
  /** Kinds of the subscription's emails, in order. */
  readEmails(): Promise<string[]>;
  /** All periods of the subscription: `2027-01-31 10:00 – 2027-02-28 10:00 2500 charged`. */
  readPeriods(): Promise<string[]>;
}

/** Starts a story with a subscription, by default with a confirmed one. */
export async function startStory(
  client: Client,
  clock: StoryClock,
  time: string,
  attributes: Readonly<Record<string, unknown>>,
  cardName = 'visa',
): Promise<Story> {
  clock.moveTo(instantOf(time, 0));
  const { id } = await makeSubscription(client, attributes, await makeParties(client, cardName));
  const story = storyOf(client, clock, id);
  if (attributes.confirmed) return story;
  const { status, body } = await story.callAction('confirm');
  expect([status, body.errors]).toEqual([200, undefined]);
  return story;
}

function storyOf(client: Client, clock: StoryClock, id: string): Story {
  const checkedKeys = new Set<string>();
  const takeNew = (records: ResourceObject[], keyOf: (record: ResourceObject) => string) => {
    const newRecords = records.filter((record) => !checkedKeys.has(keyOf(record)));
    for (const record of newRecords) checkedKeys.add(keyOf(record));
    return newRecords;
  };
  const list = async (path: string): Promise<ResourceObject[]> =>
    (await client.get(`/v2/${path}=${id}&page[size]=500`)).body.data;
  const expectNewRecords = async (expected: ExpectedChanges, time = 'then'): Promise<void> => {
    const { charges = [], events = [], subscription } = expected;
    await waitUntilDrained(client);
    const [chargeRecords, eventRecords] = await Promise.all([
      list(`payment_demands?${CHARGE_FIELDS}&sort=created_at,id&filter[payment_subscription]`),
      list('events?fields[events]=slug&sort=created_at,id&filter[resource_id]'),
    ]);
    const newChanges = {
      charges: takeNew(chargeRecords, (charge) => `${charge.id} ${lineOf(charge)}`).map(lineOf),
      events: takeNew(eventRecords, (event) => event.id).map(({ attributes }) => attributes.slug),
    };
    expect(newChanges, time).toEqual({ charges, events });
    if (!subscription) return;
    const { attributes } = await client.fetch('payment_subscriptions', id);
    expect(attributes, time).toMatchObject(subscription);
  };
  const update: Story['update'] = async (attributes, relations = {}) => {
    const document = documentOf('payment_subscriptions', attributes, relations, id);
    const answer = await client.send('PATCH', `/v2/payment_subscriptions/${id}`, document);
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  };
  return {
    id,
    expectChanges: expectNewRecords,
    update,
    async at(time, expected = {}) {
      clock.moveTo(instantOf(time));
      await expectNewRecords(expected, time);
    },
    callAction: (action) => client.send('PATCH', `/v2/payment_subscriptions/${id}/${action}`),
    async setCard(cardName) {
      const { relationships } = await client.fetch('payment_subscriptions', id);
      const customer = relationships.payer?.data as ResourceObject;
      await update({}, { payment_method: await makeMethod(client, cardName, { customer }) });
    },
    async readEmails() {
      const emails = await list('emails?sort=created_at,id&filter[payment_subscription]');
      return emails.map(({ attributes }) => attributes.kind);
    },
    change: (attributes, relations = {}) => {
      const payment_subscription = { type: 'payment_subscriptions', id };
      return client.make('subscription_changes', attributes, {
        ...relations,
        payment_subscription,
      });
    },
    async readPeriods() {
      const rows = await list('subscription_periods?filter[payment_subscription]');
      return rows.map(periodLineOf).toSorted();
    },
  };
}

/** Sets the merchant's billing policy for failed charges. */
export async function setPolicy(client: Client, attributes: object): Promise<void> {
  const { id } = await newestOf(client, 'merchants');
  const document = documentOf('merchants', attributes, {}, id);
  const { status } = await client.send('PATCH', `/v2/merchants/${id}`, document);
  expect(status).toBe(200);
}

/** Waits until the merchant has no due work. */
export async function waitUntilDrained(client: Client): Promise<void> {
  const { status, body } = await client.get('/sandbox/drain?timeout=30');
  expect([status, body]).toEqual([204, undefined]);
}

/** Instant half a minute after the given time, so that work due at that time is done. */
const instantOf = (time: string, past_s = 30): string => {
  const [day, hour = '00:00'] = time.split(' ');
  return instantText(microsOf(`${day}T${hour}:00Z`) + seconds(past_s));
};

const hourOf = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

/** Selects only the compared attributes, for smaller responses. */
const CHARGE_FIELDS = 'fields[payment_demands]=created_at,billing_reason,amount_cents,status';

const lineOf = ({ attributes }: ResourceObject): string => {
  const { created_at, billing_reason, amount_cents, status } = attributes;
  return `${hourOf(created_at)} ${billing_reason} ${amount_cents} ${status}`;
};

const periodLineOf = ({ attributes }: ResourceObject): string => {
  const { start_at, end_at, amount_cents, skip_reason } = attributes;
  return `${hourOf(start_at)} – ${hourOf(end_at)} ${amount_cents} ${skip_reason ?? 'charged'}`;
};

/** Expected result of a failed renewal, for a subscription without debt. */
export const failedRenewalChanges = (line: string) => ({
  charges: [`${line} failed`],
  events: ['updated', 'updated', 'past_due'],
});
