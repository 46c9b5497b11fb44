import { randomUUID } from 'node:crypto';
import type { ResourceType } from '@florin/contract/resources/index.ts';
import type { Client, Relations, ResourceObject } from './client.ts';
import { deafUrl, makeDelivery, makeHook, makeWaitingReplay, replayOf } from './hooks.ts';
import {
  address,
  eventually,
  FAR_AHEAD,
  lettersOf,
  listEntry,
  makeActiveSubscription,
  makeCapture,
  makeChange,
  makeCustomer,
  makeDemand,
  makeDispute,
  makeHeld,
  makeIdentification,
  makeInvitation,
  makeLink,
  makeListEntry,
  makePaid,
  makeParties,
  makePeriod,
  makeRefund,
  makeSubscription,
  makeVelocityLimit,
  newestOf,
  newestRequest,
  paymentLink,
  purchase,
  recurring,
  testCard,
  untilSettled,
  velocityLimit,
} from './make.ts';
import type { Fixtures } from './merchants.ts';
import { addException, addSettledDay } from './settled-day.ts';

/** Creates a dispute with evidence. */
async function makeAnsweredDispute(client: Client): Promise<ResourceObject> {
  const { id, type } = await makeDispute(client);
  const data = { id, type, attributes: { uncategorized_text: 'They came.' } };
  return (await client.send('PATCH', `/v2/${type}/${id}`, { data })).body.data;
}

async function makeBlockedCustomer(client: Client): Promise<ResourceObject> {
  const { type, id } = await makeCustomer(client);
  await client.send('PATCH', `/v2/${type}/${id}/block`);
  return client.fetch(type, id);
}

/** A valid create of a type. */
interface Draft {
  readonly attributes: object;
  readonly relations?: Relations;
}

/** How tests that cover all types write to one type. */
interface Maker {
  /** Makes a valid create. Several creates can exist side by side. */
  readonly draft?: (client: Client) => Draft | Promise<Draft>;
  /** Attributes for an update, or variations of a draft. */
  readonly change?: object;
  /** Relationships for an update, for types without updatable attributes. */
  readonly relinked?: Readonly<Record<string, readonly []>>;
  /** Makes a record to change, if the draft cannot create one. */
  readonly record?: (client: Client, fixtures: Fixtures) => Promise<ResourceObject>;
  /** Makes records that allow an action, by action. */
  readonly ready?: Readonly<Record<string, (client: Client) => Promise<ResourceObject>>>;
  /** Attributes that actions require. */
  readonly variants?: Readonly<Record<string, object>>;
}

async function makePausedSubscription(client: Client): Promise<ResourceObject> {
  const { type, id } = await makeActiveSubscription(client);
  await client.send('PATCH', `/v2/${type}/${id}/pause`);
  return client.fetch(type, id);
}

/** Takes the alerts of the demo merchant in turn, because only the platform creates alerts. */
let alerts = 0;
async function nextAlert(client: Client): Promise<ResourceObject> {
  const { data } = (await client.get('/v2/account_alerts')).body;
  return data[alerts++ % data.length];
}

/** Creates the clock of a new customer. */
const makeClock = async (client: Client): Promise<ResourceObject> =>
  client.make('sandbox_clocks', {}, { customer: await makeCustomer(client) });

const makers: Readonly<Partial<Record<ResourceType, Maker>>> = {
  account_alerts: {
    record: (client) => newestOf(client, 'account_alerts'),
    ready: { acknowledge: nextAlert },
  },
  beneficial_owners: {
    draft: async (client) => ({
      attributes: { ownership_percentage: 1 },
      relations: { personal_identification: await makeIdentification(client) },
    }),
    change: { ownership_percentage: 2 },
  },
  capture_demands: {
    draft: async (client) => ({
      attributes: { amount_cents: 100 },
      relations: { payment_demand: await makeHeld(client) },
    }),
    change: { amount_cents: 200 },
  },
  consumer_addresses: { draft: () => ({ attributes: address }), change: { line_2: 'Room 5' } },
  corporate_officials: {
    draft: async (client) => ({
      attributes: { role: 'Treasurer' },
      relations: { personal_identification: await makeIdentification(client) },
    }),
    change: { role: 'Clerk' },
  },
  customers: {
    draft: () => ({ attributes: { email: 'ada@example.com', name: 'Ada' } }),
    change: { name: 'Grace' },
    ready: { block: makeCustomer, unblock: makeBlockedCustomer },
  },
  disputes: {
    record: makeDispute,
    change: { uncategorized_text: 'It was sent twice.' },
    ready: { submit: makeAnsweredDispute, accept: makeDispute },
  },
  legal_addresses: { draft: () => ({ attributes: address }), change: { line_2: 'Room 5' } },
  memberships: {
    draft: () => ({ attributes: { email: `${randomUUID()}@example.com` } }),
    change: { email: 'somebody.else@example.com' },
    relinked: { permissions: [] },
    ready: {
      remove: (client) => makeInvitation(client),
      resend: (client) => makeInvitation(client),
    },
  },
  merchant_tokens: {
    draft: () => ({ attributes: { name: 'Warehouse', context: 'secret' } }),
    change: { name: 'Shop' },
    ready: {
      revoke: (client) => client.make('merchant_tokens', { name: 'Lost', context: 'secret' }),
      rotate: (client) => client.make('merchant_tokens', { name: 'Old', context: 'secret' }),
    },
  },
  merchants: {
    record: (client) => newestOf(client, 'merchants'),
    change: { business_description: 'Flowers by post' },
  },
  payment_demands: {
    draft: () => ({ attributes: purchase }),
    change: { description: 'Roses' },
    ready: {
      confirm: async (client) => makeDemand(client, {}, await makeParties(client)),
      cancel: (client) => makeDemand(client),
      void: makeHeld,
    },
  },
  payment_links: {
    draft: () => ({ attributes: paymentLink }),
    change: { title: 'A rose' },
    ready: { expire: makeLink },
  },
  payment_methods: {
    draft: () => ({ attributes: testCard('visa') }),
    change: { nickname: 'The blue one' },
  },
  payment_subscriptions: {
    draft: () => ({ attributes: recurring }),
    change: { description: 'Roses' },
    ready: {
      confirm: async (client) =>
        makeSubscription(client, { billing_cycle_anchor_at: FAR_AHEAD }, await makeParties(client)),
      pause: makeActiveSubscription,
      resume: makePausedSubscription,
      cancel: makeActiveSubscription,
      customer_link: makeActiveSubscription,
      revoke_customer_links: makeActiveSubscription,
    },
  },
  personal_identifications: {
    draft: () => ({ attributes: { full_name: 'Ada Lovelace' } }),
    change: { full_name: 'Grace Hopper' },
  },
  refund_demands: {
    draft: async (client) => ({
      attributes: { reason: 'duplicate_charge', amount_cents: 100 },
      relations: { payment_demand: await makePaid(client) },
    }),
    change: { amount_cents: 200 },
  },
  risk_list_entries: {
    draft: () => ({ attributes: listEntry() }),
    change: { value: '400552' },
    ready: { remove: makeListEntry },
  },
  settlement_exceptions: {
    record: async (client, fixtures) => {
      const merchant = await newestOf(client, 'merchants');
      await addException(fixtures, merchant.id, (await makePaid(client)).id);
      return newestOf(client, 'settlement_exceptions');
    },
    change: { resolution_note: 'It came a day later.' },
  },
  sandbox_clocks: {
    draft: async (client) => ({
      attributes: { name: 'A year on' },
      relations: { customer: await makeCustomer(client) },
    }),
    change: { name: 'Tomorrow' },
    variants: { advance: { by_seconds: 1 } },
  },
  subscription_changes: {
    draft: async (client) => ({
      attributes: { amount_cents: 4000 },
      relations: { payment_subscription: await makeActiveSubscription(client) },
    }),
    change: { amount_cents: 5000 },
  },
  velocity_limits: {
    draft: () => ({ attributes: velocityLimit }),
    change: { max_count: 9 },
    ready: { remove: makeVelocityLimit },
  },
  webhook_deliveries: { record: makeDelivery },
  webhook_replays: {
    draft: async (client) => replayOf(await makeHook(client)),
    change: { dry_run: true },
    record: makeWaitingReplay,
  },
  webhook_subscriptions: {
    draft: () => ({
      attributes: { url: deafUrl(), events: ['transaction.payment_demands.disputed'] },
    }),
    change: { description: 'The hook of the shop' },
  },
};

/** The maker of a type. Throws for a type without a maker. */
export function makerOf(type: ResourceType): Maker {
  const maker = makers[type];
  if (maker) return maker;
  throw new Error(`${type} can be written to: give it an entry in support/makers.ts`);
}

/**
 * Creates at least one record of every type. Returns the payment after its outcome, so that nothing changes
 * later.
 */
export async function makeOneOfEach(client: Client, fixtures: Fixtures): Promise<ResourceObject> {
  const hook = await makeHook(client, { events: ['transaction.payment_demands.created'] });
  const { attributes, relations } = replayOf(hook);
  await client.make('webhook_replays', attributes, relations);
  await makeChange(client, await makeActiveSubscription(client));
  await makePeriod(client);
  const payment = await makePaid(client);
  const refund = await makeRefund(client, payment, { amount_cents: 100 });
  await untilSettled(client, refund.id, 'refund_demands');
  await makeDispute(client);
  await makeListEntry(client);
  await makeLink(client);
  await makeVelocityLimit(client);
  await makeClock(client);
  const capture = await makeCapture(client, await makeHeld(client));
  await untilSettled(client, capture.id, 'capture_demands');
  const [merchant] = (await client.get('/v2/merchants')).body.data as ResourceObject[];
  await addSettledDay(fixtures, merchant?.id ?? '', payment.id);
  await eventually(
    () => client.get('/v2/balances'),
    ({ body }) => body.data[0]?.attributes.paid_out_cents > 0,
  );
  await lettersOf(client, 'filter[status]=pending', ({ length }) => length === 0);
  await newestRequest(client);
  return client.fetch('payment_demands', payment.id);
}
