import type { EventCodeOf } from '../events.ts';
import type { ResourceType, resources } from '../resources/index.ts';
import type { ApiRecord } from './interface.ts';
import type { Sandbox } from './sandbox.ts';
import * as steps from './steps.ts';

export type EventCode = EventCodeOf<(typeof resources)[ResourceType]>;

/** Steps through the interface that cause an event about the returned record. */
export interface Recipe {
  /** End of a sentence that begins with the event code. */
  readonly makes: string;
  run(sandbox: Sandbox): Promise<ApiRecord>;
}

const { amounts } = steps;

/** Refusal to trigger an event, since it takes too long. */
export interface Refusal {
  /** Reason, and the usual cause of the event. */
  readonly refused: string;
}

/** Recipe for each event in the sandbox. */
export const recipes: Readonly<Record<EventCode, Recipe | Refusal>> = {
  'consumer.customers.created': { makes: 'a customer', run: steps.makeCustomer },
  'consumer.customers.updated': {
    makes: 'a customer with another name',
    run: async (sandbox) =>
      sandbox.update(await steps.makeCustomer(sandbox), { name: 'Grace Hopper' }),
  },
  'consumer.customers.merged': {
    makes: 'a customer who is merged into another one',
    run: steps.mergeCustomers,
  },
  'consumer.addresses.created': { makes: 'an address', run: steps.makeAddress },
  'consumer.addresses.updated': {
    makes: 'an address with another line',
    run: async (sandbox) => sandbox.update(await steps.makeAddress(sandbox), { line_2: 'Room 5' }),
  },
  'consumer.payment_methods.created': {
    makes: 'a sandbox card',
    run: (sandbox) => steps.makeCard(sandbox),
  },
  'consumer.payment_methods.updated': {
    makes: 'a card that is deactivated',
    run: async (sandbox) => sandbox.act(await steps.makeCard(sandbox), 'discard'),
  },
  'transaction.payment_demands.created': {
    makes: 'a payment',
    run: (sandbox) => steps.pay(sandbox),
  },
  'transaction.payment_demands.updated': {
    makes: 'a payment, confirmed by a separate request',
    run: steps.payInTwoSteps,
  },
  'transaction.payment_demands.succeeded': {
    makes: 'a payment',
    run: (sandbox) => steps.pay(sandbox),
  },
  'transaction.payment_demands.failed': {
    makes: 'a payment that the bank declines',
    run: (sandbox) => steps.pay(sandbox, { card: 'generic_decline' }),
  },
  'transaction.payment_demands.refunded': {
    makes: 'a payment with a partial refund',
    run: async (sandbox) => {
      await steps.refund(sandbox);
      return findOnlyRecord(sandbox, 'payment_demands');
    },
  },
  'transaction.payment_demands.disputed': {
    makes: 'a payment that the payer disputes',
    run: async (sandbox) => {
      const payment = await steps.pay(sandbox, { amount_cents: amounts.disputed });
      await sandbox.untilPointedAt('disputes', 'payment_demand', payment);
      return payment;
    },
  },
  'transaction.capture_demands.created': {
    makes: 'a hold that is partly captured',
    run: steps.capture,
  },
  'transaction.capture_demands.updated': {
    makes: 'a hold that is partly captured',
    run: steps.capture,
  },
  'transaction.capture_demands.succeeded': {
    makes: 'a hold that is partly captured',
    run: steps.capture,
  },
  'transaction.capture_demands.failed': {
    makes: 'a hold whose capture the bank declines',
    run: (sandbox) => steps.capture(sandbox, amounts.capture_declined),
  },
  'transaction.refund_demands.created': { makes: 'a refund', run: steps.refund },
  'transaction.refund_demands.updated': { makes: 'a refund', run: steps.refund },
  'transaction.refund_demands.succeeded': { makes: 'a refund', run: steps.refund },
  'transaction.refund_demands.failed': {
    makes: 'a refund that the bank declines',
    run: (sandbox) => steps.refund(sandbox, amounts.refund_declined),
  },
  'transaction.disputes.created': { makes: 'a payment with a dispute', run: steps.openDispute },
  'transaction.disputes.updated': {
    makes: 'a dispute with submitted evidence',
    run: steps.answerDispute,
  },
  'transaction.disputes.won': {
    makes: 'a dispute that is won with evidence',
    run: steps.answerDispute,
  },
  'transaction.disputes.lost': {
    makes: 'a dispute that the merchant accepts',
    run: async (sandbox) => sandbox.act(await steps.openDispute(sandbox), 'accept'),
  },
  'transaction.payment_subscriptions.created': {
    makes: 'a subscription',
    run: steps.subscribe,
  },
  'transaction.payment_subscriptions.updated': {
    makes: 'a subscription that is charged',
    run: steps.subscribe,
  },
  'transaction.payment_subscriptions.upcoming': {
    makes: 'a subscription that renews soon, on a clock of its customer',
    run: steps.approachRenewal,
  },
  'transaction.payment_subscriptions.past_due': {
    makes: 'a subscription whose renewal is declined, on a clock of its customer',
    run: steps.failRenewal,
  },
  'transaction.payment_subscriptions.recovered': {
    makes: 'a declined renewal that another card pays, on a clock of its customer',
    run: steps.payRenewal,
  },
  'transaction.payment_subscriptions.unpaid': {
    makes: 'a subscription whose last retry is declined, on a clock of its customer',
    run: steps.endDunning,
  },
  'transaction.payment_subscriptions.paused': {
    makes: 'a subscription that is paused',
    run: async (sandbox) => sandbox.act(await steps.subscribe(sandbox), 'pause'),
  },
  'transaction.payment_subscriptions.resumed': {
    makes: 'a subscription that is paused and resumed',
    run: async (sandbox) =>
      sandbox.act(await sandbox.act(await steps.subscribe(sandbox), 'pause'), 'resume'),
  },
  'transaction.payment_subscriptions.cancelled': {
    makes: 'a subscription that is cancelled',
    run: async (sandbox) => sandbox.act(await steps.subscribe(sandbox), 'cancel'),
  },
  'transaction.settlement_exceptions.created': {
    refused:
      'Florin settles each day after it ends (UTC). Pay an amount that ends in 9709 today, and check tomorrow.',
  },
  'transaction.settlement_exceptions.resolved': {
    refused: 'Set the status of a settlement exception to resolved, with a resolution_note.',
  },
  'developer.webhook_subscriptions.tested': {
    makes: 'a webhook subscription, tested and then archived',
    run: steps.testedWebhook,
  },
};

/** The only created record of a type. */
function findOnlyRecord(sandbox: Sandbox, type: string): ApiRecord {
  const record = sandbox.createdRecords.find((createdRecord) => createdRecord.type === type);
  if (!record) throw new Error(`no ${type} was made`);
  return record;
}
