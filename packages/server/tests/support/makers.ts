import { randomUUID } from 'node:crypto';
import type { ResourceType } from '@florin/contract/resources/index.ts';
import type { Client, Relations, ResourceObject } from './client.ts';
import { makeDisputeFile } from './evidence-files.ts';
import {
  makeDelivery,
  makeHook,
  makeWaitingReplay,
  replayDraftOf,
  unreachableUrl,
} from './hooks.ts';
import {
  address,
  eventually,
  FAR_AHEAD,
  fetchNewestRequest,
  listEntry,
  makeActiveSubscription,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeChange,
  makeCustomer,
  makeDemand,
  makeDispute,
  makeIdentification,
  makeInvitation,
  makeLink,
  makeListEntry,
  makeMerge,
  makeParties,
  makePeriod,
  makeRefund,
  makeSubscription,
  makeVelocityLimit,
  newestOf,
  paymentLink,
  purchase,
  recurringPurchase,
  testCard,
  velocityLimit,
  waitForDocuments,
  waitForEmails,
  waitForOutcome,
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
  /** Makes a valid draft. Several records can be created from such drafts. */
  readonly makeDraft?: (client: Client) => Draft | Promise<Draft>;
  /** Attributes for an update, or variations of a draft. */
  readonly change?: object;
  /** Relationships for an update, for types without updatable attributes. */
  readonly relationshipChange?: Readonly<Record<string, readonly []>>;
  /** Makes a record to change, if the draft cannot create one. */
  readonly makeRecord?: (client: Client, fixtures: Fixtures) => Promise<ResourceObject>;
  /** Makes records that allow an action, by action. */
  readonly makersByAction?: Readonly<Record<string, (client: Client) => Promise<ResourceObject>>>;
  /** Attributes that actions require. */
  readonly attributesByAction?: Readonly<Record<string, object>>;
}

async function makePausedSubscription(client: Client): Promise<ResourceObject> {
  const { type, id } = await makeActiveSubscription(client);
  await client.send('PATCH', `/v2/${type}/${id}/pause`);
  return client.fetch(type, id);
}

let alertIndex = 0;
/** Returns the alerts of the demo merchant in turn: only the platform creates alerts. */
async function takeNextAlert(client: Client): Promise<ResourceObject> {
  const { data } = (await client.get('/v2/account_alerts')).body;
  return data[alertIndex++ % data.length];
}

/** Creates the clock of a new customer. */
const makeClock = async (client: Client): Promise<ResourceObject> =>
  client.make('sandbox_clocks', {}, { customer: await makeCustomer(client) });

const makers: Readonly<Partial<Record<ResourceType, Maker>>> = {
  account_alerts: {
    makeRecord: (client) => newestOf(client, 'account_alerts'),
    makersByAction: { acknowledge: takeNextAlert },
  },
  beneficial_owners: {
    makeDraft: async (client) => ({
      attributes: { ownership_percentage: 1 },
      relations: { personal_identification: await makeIdentification(client) },
    }),
    change: { ownership_percentage: 2 },
  },
  capture_demands: {
    makeDraft: async (client) => ({
      attributes: { amount_cents: 100 },
      relations: { payment_demand: await makeAuthorisedPayment(client) },
    }),
    change: { amount_cents: 200 },
  },
  consumer_addresses: { makeDraft: () => ({ attributes: address }), change: { line_2: 'Room 5' } },
  corporate_officials: {
    makeDraft: async (client) => ({
      attributes: { role: 'Treasurer' },
      relations: { personal_identification: await makeIdentification(client) },
    }),
    change: { role: 'Clerk' },
  },
  customers: {
    makeDraft: () => ({ attributes: { email: 'ada@example.com', name: 'Ada' } }),
    change: { name: 'Grace' },
    makersByAction: { block: makeCustomer, unblock: makeBlockedCustomer },
  },
  customer_merges: {
    makeDraft: async (client) => ({
      attributes: {},
      relations: { source: await makeCustomer(client), target: await makeCustomer(client) },
    }),
    change: { reason: 'The same person' },
  },
  dispute_files: {
    makeRecord: makeDisputeFile,
    makersByAction: { remove: makeDisputeFile },
  },
  disputes: {
    makeRecord: makeDispute,
    change: { uncategorized_text: 'It was sent twice.' },
    makersByAction: { submit: makeAnsweredDispute, accept: makeDispute },
  },
  legal_addresses: { makeDraft: () => ({ attributes: address }), change: { line_2: 'Room 5' } },
  memberships: {
    makeDraft: () => ({ attributes: { email: `${randomUUID()}@example.com` } }),
    change: { email: 'somebody.else@example.com' },
    relationshipChange: { permissions: [] },
    makersByAction: {
      remove: (client) => makeInvitation(client),
      resend: (client) => makeInvitation(client),
    },
  },
  merchant_tokens: {
    makeDraft: () => ({ attributes: { name: 'Warehouse', context: 'secret' } }),
    change: { name: 'Shop' },
    makersByAction: {
      revoke: (client) => client.make('merchant_tokens', { name: 'Lost', context: 'secret' }),
      rotate: (client) => client.make('merchant_tokens', { name: 'Old', context: 'secret' }),
    },
  },
  merchants: {
    makeRecord: (client) => newestOf(client, 'merchants'),
    change: { dunning_days: 9 },
  },
  payment_demands: {
    makeDraft: () => ({ attributes: purchase }),
    change: { description: 'Roses' },
    makersByAction: {
      confirm: async (client) => makeDemand(client, {}, await makeParties(client)),
      cancel: (client) => makeDemand(client),
      void: makeAuthorisedPayment,
    },
  },
  payment_links: {
    makeDraft: () => ({ attributes: paymentLink }),
    change: { title: 'A rose' },
    makersByAction: { expire: makeLink },
  },
  payment_methods: {
    makeDraft: () => ({ attributes: testCard('visa') }),
    change: { nickname: 'The blue one' },
  },
  payment_subscriptions: {
    makeDraft: () => ({ attributes: recurringPurchase }),
    change: { description: 'Roses' },
    makersByAction: {
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
    makeDraft: () => ({ attributes: { full_name: 'Ada Lovelace' } }),
    change: { full_name: 'Grace Hopper' },
  },
  refund_demands: {
    makeDraft: async (client) => ({
      attributes: { reason: 'duplicate_charge', amount_cents: 100 },
      relations: { payment_demand: await makeCapturedPayment(client) },
    }),
    change: { amount_cents: 200 },
  },
  risk_list_entries: {
    makeDraft: () => ({ attributes: listEntry() }),
    change: { value: '400552' },
    makersByAction: { remove: makeListEntry },
  },
  settlement_exceptions: {
    makeRecord: async (client, fixtures) => {
      const merchant = await newestOf(client, 'merchants');
      await addException(fixtures, merchant.id, (await makeCapturedPayment(client)).id);
      return newestOf(client, 'settlement_exceptions');
    },
    change: { resolution_note: 'It came a day later.' },
  },
  sandbox_clocks: {
    makeDraft: async (client) => ({
      attributes: { name: 'A year on' },
      relations: { customer: await makeCustomer(client) },
    }),
    change: { name: 'Tomorrow' },
    attributesByAction: { advance: { by_seconds: 1 } },
  },
  subscription_changes: {
    makeDraft: async (client) => ({
      attributes: { amount_cents: 4000 },
      relations: { payment_subscription: await makeActiveSubscription(client) },
    }),
    change: { amount_cents: 5000 },
  },
  velocity_limits: {
    makeDraft: () => ({ attributes: velocityLimit }),
    change: { max_count: 9 },
    makersByAction: { remove: makeVelocityLimit },
  },
  webhook_deliveries: { makeRecord: makeDelivery },
  webhook_replays: {
    makeDraft: async (client) => replayDraftOf(await makeHook(client)),
    change: { dry_run: true },
    makeRecord: makeWaitingReplay,
  },
  webhook_subscriptions: {
    makeDraft: () => ({
      attributes: { url: unreachableUrl(), events: ['transaction.payment_demands.disputed'] },
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
  const { attributes, relations } = replayDraftOf(hook);
  await client.make('webhook_replays', attributes, relations);
  await makeChange(client, await makeActiveSubscription(client));
  await makePeriod(client);
  const payment = await makeCapturedPayment(client);
  const refund = await makeRefund(client, payment, { amount_cents: 100 });
  await waitForOutcome(client, refund.id, 'refund_demands');
  await waitForDocuments(client, 'credit_note', 1);
  await makeDisputeFile(client);
  await makeListEntry(client);
  await makeLink(client);
  await makeMerge(client);
  await makeVelocityLimit(client);
  await makeClock(client);
  const capture = await makeCapture(client, await makeAuthorisedPayment(client));
  await waitForOutcome(client, capture.id, 'capture_demands');
  const [merchant] = (await client.get('/v2/merchants')).body.data as ResourceObject[];
  await addSettledDay(fixtures, merchant?.id ?? '', payment.id);
  await eventually(
    () => client.get('/v2/balances'),
    ({ body }) => body.data[0]?.attributes.paid_out_cents > 0,
  );
  await waitForEmails(client, 'filter[status]=pending', ({ length }) => length === 0);
  await fetchNewestRequest(client);
  return client.fetch('payment_demands', payment.id);
}
