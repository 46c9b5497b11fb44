import type { Entry, NetworkBooks } from './books.ts';
import type { Promised } from './merchant.ts';
import type { Told } from './receiver.ts';
import type { Records } from './records.ts';

/** All that is known when a run has come to rest. */
export interface Outcome {
  readonly promises: readonly Promised[];
  readonly records: Records;
  readonly books: NetworkBooks;
  readonly told: readonly Told[];
}

/** What a run shows that must not be: one sentence each, none where all is well. */
export const differencesIn = (outcome: Outcome): string[] =>
  [lost, doubled, charges, followUps, disputes, openAttempts, ledger, deliveries, order].flatMap(
    (check) => check(outcome),
  );

type Row = Records['payments'][number];

const byId = (rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id as string, row]));

/** Records of money that were answered are there, with what was answered of them. */
function lost({ promises, records }: Outcome): string[] {
  const stored = byId([...records.payments, ...records.refunds, ...records.captures]);
  return promises
    .filter(({ method, path }) => method === 'POST' && path.endsWith('_demands'))
    .filter(({ resource: { id, attributes } }) => {
      const row = stored.get(id);
      return !row || Number(row.amount_cents) !== attributes.amount_cents;
    })
    .map(({ key }) => `what was answered to "${key}" is not stored so`);
}

/** A key makes one record: nothing is stored that was not answered, and no key was answered with two. */
function doubled({ promises, records }: Outcome): string[] {
  const answered = new Map(promises.map(({ resource, key }) => [resource.id, key]));
  const made = [...records.payments, ...records.refunds, ...records.captures];
  const unknown = made.filter(({ id }) => !answered.has(id as string));
  const creates = promises.filter(({ method }) => method === 'POST');
  const ids = Map.groupBy(creates, ({ key, path }) => `${key} ${path}`);
  const twice = [...ids].filter(
    ([, all]) => new Set(all.map(({ resource }) => resource.id)).size > 1,
  );
  return [
    ...unknown.map(({ id }) => `record ${id} was made, and nobody was told of it`),
    ...twice.map(([key]) => `"${key}" made two records`),
  ];
}

const charged = new Set<string | null>(['succeeded', 'authorised', 'disputed', 'reversed']);

/** A payment that is paid or held has one approval at the network, and any other has none. */
function charges({ records: { payments, attempts }, books }: Outcome): string[] {
  const owners = new Map(attempts.map(({ id, payment_demand_id }) => [id, payment_demand_id]));
  const approved = books.authorisations.filter(({ result }) => result === 'approved');
  const ofPayment = Map.groupBy(approved, ({ reference }) => owners.get(reference));
  const strays = ofPayment.get(undefined) ?? [];
  const wrong = payments.flatMap(({ id = null, status = null, amount_cents }) => {
    const approvals = ofPayment.get(id) ?? [];
    const expected = charged.has(status) ? 1 : 0;
    const isRight =
      approvals.length === expected &&
      approvals.every(({ amount }) => amount === Number(amount_cents));
    return isRight
      ? []
      : [`payment ${id} is ${status}, and the network approved ${listed(approvals)}`];
  });
  return [...wrong, ...strays.map(({ reference }) => `nobody knows of approval ${reference}`)];
}

const listed = (entries: readonly Entry[]): string =>
  entries.length === 0 ? 'nothing' : entries.map(({ amount }) => amount).join(' and ');

/** Refunds and captures have succeeded where the network says so, and only there. */
function followUps({ records, books }: Outcome): string[] {
  const compare = (what: string, rows: readonly Row[], entries: readonly Entry[]): string[] => {
    const done = entries.filter(({ result }) => result === 'approved');
    const atNetwork = new Set(done.map(({ reference, amount }) => `${reference} of ${amount}`));
    const here = new Set(
      rows
        .filter(({ status }) => status === 'succeeded')
        .map(({ id, amount_cents }) => `${id} of ${amount_cents}`),
    );
    return [
      ...without(atNetwork, here).map((one) => `the network made ${what} ${one}, we did not`),
      ...without(here, atNetwork).map((one) => `we made ${what} ${one}, the network did not`),
    ];
  };
  return [
    ...compare('refund', records.refunds, books.refunds),
    ...compare('capture', records.captures, books.captures),
    ...overRefunded(books),
  ];
}

const without = (of: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...of].filter((one) => !others.has(one));

/** Of no authorisation the network gave back more than it collected. */
function overRefunded({ authorisations, refunds }: NetworkBooks): string[] {
  const approved = refunds.filter(({ result }) => result === 'approved');
  const sums = Map.groupBy(approved, ({ authorisation }) => authorisation);
  return authorisations
    .filter(({ reference, amount }) => sumOf(sums.get(reference)) > amount)
    .map(({ reference }) => `more than all of authorisation ${reference} was given back`);
}

const sumOf = (entries: readonly Entry[] = []): number =>
  entries.reduce((sum, { amount }) => sum + amount, 0);

/** What was reversed has no payment that could be disputed. */
function disputes({ records, books }: Outcome): string[] {
  const here = new Map(records.disputes.map(({ reference, status }) => [reference, status]));
  const standing = new Set(
    books.authorisations
      .filter(({ result }) => result === 'approved')
      .map(({ reference }) => reference),
  );
  return books.disputes
    .filter(({ authorisation = '' }) => standing.has(authorisation))
    .filter(({ reference, result }) => {
      const status = here.get(reference);
      return result === 'open' ? status !== 'needs_response' : status !== result;
    })
    .map(({ reference, result }) => `${reference} is ${result}, and here ${here.get(reference)}`);
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

/** Every event of the subscription has come to the merchant, and none came that is not there. */
function deliveries({ records: { events, deliveries: rows, untold }, told }: Outcome): string[] {
  const came = new Set(told.map(({ event_id }) => event_id));
  const known = new Set(events.map(({ id }) => id));
  return [
    ...rows
      .filter(({ status, event_id }) => status !== 'delivered' || !came.has(event_id as string))
      .map(({ status, event_id }) => `the delivery of event ${event_id} is ${status}, not taken`),
    ...untold.map(({ id }) => `event ${id} has no delivery`),
    ...[...came].filter((id) => !known.has(id)).map((id) => `event ${id} came and is not stored`),
  ];
}

/** In the order of their times, the events of a record tell of it as it went on, up to what it is now. */
function order({ records, told }: Outcome): string[] {
  const now = byId([
    ...records.payments,
    ...records.refunds,
    ...records.captures,
    ...records.disputes,
  ]);
  return [...Map.groupBy(told, ({ resource_id }) => resource_id)].flatMap(([id, ofRecord]) => {
    const inTime = ofRecord.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));
    const goesBack = inTime.some(
      ({ updated_at }, at) => at > 0 && updated_at < (inTime[at - 1] as Told).updated_at,
    );
    const last = inTime.at(-1)?.status;
    const record = now.get(id);
    const isBehind = record !== undefined && last !== undefined && last !== record.status;
    return [
      ...(goesBack ? [`the events of ${id} tell of it in another order`] : []),
      ...(isBehind ? [`the last event of ${id} tells ${last}, and it is ${record.status}`] : []),
    ];
  });
}
