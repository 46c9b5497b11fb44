import type { Outcome, Row } from '../outcome.ts';
import type { AcceptedWrite } from '../scenarios/merchant.ts';
import type { ReceivedEvent } from '../scenarios/receiver.ts';
import { checkCharges, checkDisputes, failures, findUnapproved, followUps } from './book-checks.ts';
import { paidTwice, paymentStates } from './dispute-checks.ts';
import { checkRenewals, checkSubscriptions } from './subscription-checks.ts';

/** Differences found after a run, one sentence each; empty if there are none. */
export const differencesIn = (outcome: Outcome): string[] =>
  [
    findUnapproved,
    missingRecords,
    doubledRecords,
    checkCharges,
    failures,
    checkSubscriptions,
    checkRenewals,
    followUps,
    checkDisputes,
    paymentStates,
    paidTwice,
    openAttempts,
    ledger,
    checkDeliveries,
    order,
  ].flatMap((check) => check(outcome));

/** Whether the request creates a charge or a subscription. */
export const isPurchase = ({ method, path }: Pick<AcceptedWrite, 'method' | 'path'>): boolean =>
  method === 'POST' && (path.endsWith('_demands') || path.endsWith('/payment_subscriptions'));

const byId = (rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id as string, row]));

/** Checks that each record with a successful response exists with the response's values. */
function missingRecords({ promises, records }: Outcome): string[] {
  const storedRows = byId([
    ...records.payments,
    ...records.refunds,
    ...records.captures,
    ...records.subscriptions,
  ]);
  return promises
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
function doubledRecords({ promises, records }: Outcome): string[] {
  const keyById = new Map(promises.map(({ resource, key }) => [resource.id, key]));
  const payments = records.payments.filter((row) => row.payment_subscription_id === null);
  const created = [...payments, ...records.refunds, ...records.captures, ...records.subscriptions];
  const unanswered = created.filter(({ id }) => !keyById.has(id as string));
  const creates = promises.filter(({ method }) => method === 'POST');
  const ids = Map.groupBy(creates, ({ key, path }) => `${key} ${path}`);
  const twice = [...ids].filter(
    ([, all]) => new Set(all.map(({ resource }) => resource.id)).size > 1,
  );
  return [
    ...unanswered.map(({ id }) => `record ${id} was made without a response`),
    ...twice.map(([key]) => `"${key}" made two records`),
  ];
}

const open = new Set<string | null>(['sending', 'unknown', 'reversing', 'pending', 'processing']);

function openAttempts({ records: { attempts, payments, refunds, captures } }: Outcome): string[] {
  return [...attempts, ...payments, ...refunds, ...captures]
    .filter(({ status = null }) => open.has(status))
    .map(({ id, status }) => `${id} is still ${status}`);
}

const ledger = ({ records }: Outcome): string[] => [
  ...records.ledger.map((one) => `the ledger differs: ${JSON.stringify(one)}`),
  ...records.balances.map((one) => `the amounts of a payment differ: ${JSON.stringify(one)}`),
];

/** Checks that every event of the subscription reached the merchant, and no other event did. */
function checkDeliveries({
  records: { events, deliveries: rows, undelivered },
  received,
}: Outcome): string[] {
  const came = new Set(received.map(({ event_id }) => event_id));
  const storedIds = new Set(events.map(({ id }) => id));
  return [
    ...rows
      .filter(({ status, event_id }) => status !== 'delivered' || !came.has(event_id as string))
      .map(({ status, event_id }) => `the delivery of event ${event_id} is ${status}, not taken`),
    ...undelivered.map(({ id }) => `event ${id} has no delivery`),
    ...[...came]
      .filter((id) => !storedIds.has(id))
      .map((id) => `event ${id} came and is not stored`),
  ];
}

/** Checks that the events of a record, ordered by time, follow its changes up to its current state. */
function order({ records, received }: Outcome): string[] {
  const now = byId([
    ...records.payments,
    ...records.refunds,
    ...records.captures,
    ...records.disputes,
    ...records.subscriptions,
  ]);
  return [...Map.groupBy(received, ({ resource_id }) => resource_id)].flatMap(([id, ofRecord]) => {
    const inTime = ofRecord.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));
    const goesBack = inTime.some(
      ({ updated_at }, at) => at > 0 && updated_at < (inTime[at - 1] as ReceivedEvent).updated_at,
    );
    const last = inTime.at(-1)?.status;
    const record = now.get(id);
    const isBehind = record !== undefined && last !== undefined && last !== record.status;
    return [
      ...(goesBack ? [`the events of ${id} are in another order`] : []),
      ...(isBehind
        ? [`the last event of ${id} says ${last}, but the record is ${record.status}`]
        : []),
    ];
  });
}
