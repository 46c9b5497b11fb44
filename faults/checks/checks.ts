import type { Outcome, Row } from '../outcome.ts';
import type { AcceptedWrite } from '../scenarios/merchant.ts';
import type { ReceivedEvent } from '../scenarios/receiver.ts';
import {
  checkCharges,
  checkDisputes,
  compareFollowUps,
  findUnapproved,
  findUnplannedFailures,
} from './book-checks.ts';
import { checkPaymentStates, findOverpaid } from './dispute-checks.ts';
import { checkRenewals, checkSubscriptions } from './subscription-checks.ts';

/** Differences found after a run, one sentence each; empty if there are none. */
export const differencesIn = (outcome: Outcome): string[] =>
  [
    findUnapproved,
    findMissingRecords,
    findDoubledRecords,
    checkCharges,
    findUnplannedFailures,
    checkSubscriptions,
    checkRenewals,
    compareFollowUps,
    checkDisputes,
    checkPaymentStates,
    findOverpaid,
    findOpenWork,
    findLedgerDifferences,
    checkDeliveries,
    checkEventOrder,
  ].flatMap((check) => check(outcome));

/** Whether the request creates a charge or a subscription. */
export const isPurchase = ({ method, path }: Pick<AcceptedWrite, 'method' | 'path'>): boolean =>
  method === 'POST' && (path.endsWith('_demands') || path.endsWith('/payment_subscriptions'));

const byId = (rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id as string, row]));

/** Checks that each record with a successful response exists with the response's values. */
function findMissingRecords({ acceptedWrites, records }: Outcome): string[] {
  const storedRows = byId([
    ...records.payments,
    ...records.refunds,
    ...records.captures,
    ...records.subscriptions,
  ]);
  return acceptedWrites
    .filter(isPurchase)
    .filter(({ resource: { id, attributes } }) => {
      const row = storedRows.get(id);
      return !row || Number(row.amount_cents) !== attributes.amount_cents;
    })
    .map(({ key }) => `the record of "${key}" differs from its response`);
}

/**
 * Checks that each key created one record: every record has a response, and no key got two different
 * responses.
 */
function findDoubledRecords({ acceptedWrites, records }: Outcome): string[] {
  const keyById = new Map(acceptedWrites.map(({ resource, key }) => [resource.id, key]));
  const payments = records.payments.filter((row) => row.payment_subscription_id === null);
  const createdRecords = [
    ...payments,
    ...records.refunds,
    ...records.captures,
    ...records.subscriptions,
  ];
  const withoutResponse = createdRecords.filter(({ id }) => !keyById.has(id as string));
  const createWrites = acceptedWrites.filter(({ method }) => method === 'POST');
  const ids = Map.groupBy(createWrites, ({ key, path }) => `${key} ${path}`);
  const duplicatedKeys = [...ids].filter(
    ([, writes]) => new Set(writes.map(({ resource }) => resource.id)).size > 1,
  );
  return [
    ...withoutResponse.map(({ id }) => `record ${id} was made without a response`),
    ...duplicatedKeys.map(([key]) => `"${key}" made two records`),
  ];
}

const openStatuses = new Set<string | null>([
  'sending',
  'unknown',
  'reversing',
  'pending',
  'processing',
]);

function findOpenWork({ records: { attempts, payments, refunds, captures } }: Outcome): string[] {
  return [...attempts, ...payments, ...refunds, ...captures]
    .filter(({ status = null }) => openStatuses.has(status))
    .map(({ id, status }) => `${id} is still ${status}`);
}

const findLedgerDifferences = ({ records }: Outcome): string[] => [
  ...records.ledger.map((difference) => `the ledger differs: ${JSON.stringify(difference)}`),
  ...records.balances.map(
    (difference) => `the amounts of a payment differ: ${JSON.stringify(difference)}`,
  ),
];

/** Checks that every event of the subscription reached the merchant, and no other event did. */
function checkDeliveries({
  records: { events, deliveries: rows, undelivered },
  receivedEvents,
}: Outcome): string[] {
  const receivedIds = new Set(receivedEvents.map(({ event_id }) => event_id));
  const storedIds = new Set(events.map(({ id }) => id));
  return [
    ...rows
      .filter(
        ({ status, event_id }) => status !== 'delivered' || !receivedIds.has(event_id as string),
      )
      .map(({ status, event_id }) => `the delivery of event ${event_id} is ${status}, not taken`),
    ...undelivered.map(({ id }) => `event ${id} has no delivery`),
    ...[...receivedIds]
      .filter((id) => !storedIds.has(id))
      .map((id) => `event ${id} came and is not stored`),
  ];
}

/** Checks that the events of a record, in the order of their `sequence`, follow its changes up to its current state. */
function checkEventOrder({ records, receivedEvents }: Outcome): string[] {
  const recordsById = byId([
    ...records.payments,
    ...records.refunds,
    ...records.captures,
    ...records.disputes,
    ...records.subscriptions,
  ]);
  return [...Map.groupBy(receivedEvents, ({ resource_id }) => resource_id)].flatMap(
    ([id, events]) => {
      const sortedEvents = events.toSorted((a, b) => a.sequence - b.sequence);
      const isOutOfOrder = sortedEvents.some(
        ({ updated_at }, at) =>
          at > 0 && updated_at < (sortedEvents[at - 1] as ReceivedEvent).updated_at,
      );
      const lastStatus = sortedEvents.at(-1)?.status;
      const record = recordsById.get(id);
      const isBehind =
        record !== undefined && lastStatus !== undefined && lastStatus !== record.status;
      return [
        ...(isOutOfOrder ? [`the events of ${id} are in another order`] : []),
        ...(isBehind
          ? [`the last event of ${id} says ${lastStatus}, but the record is ${record.status}`]
          : []),
      ];
    },
  );
}
