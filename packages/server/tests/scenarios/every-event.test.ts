import { eventCode } from '@florin/contract/events.ts';
import { eventCodes } from '@florin/contract/resources/event-codes.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileModels, type Model } from '../../src/jsonapi/model.ts';
import { useApi } from '../support/api.ts';
import type { Client, ResourceObject } from '../support/client.ts';
import {
  DISPUTED_CENTS,
  eventually,
  FAR_AHEAD,
  makeAddress,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeCustomer,
  makeDemand,
  makeMethod,
  makeParties,
  makeRefund,
  makeSubscription,
  waitForDispute,
  waitForOutcome,
} from '../support/make.ts';

import { patch } from '../support/resource-suite.ts';
import { advanceAndWait, DAY_SECONDS, makeClock } from '../support/sandbox-clocks.ts';

const api = useApi();

/** Types whose changes emit events. Settlement exceptions are created by settled days. */
const modelsWithEvents = compileModels(resources).all.filter(
  ({ type, resource }) =>
    resource.events && type !== 'webhook_subscriptions' && type !== 'settlement_exceptions',
);

/** Amounts for which the sandbox declines a refund, and a capture. */
const [REFUND_DECLINED, CAPTURE_DECLINED] = [9_705, 9_707];

const callAction = async ({ type, id }: ResourceObject, action: string): Promise<void> => {
  const { status, body } = await api.client.send('PATCH', `/v2/${type}/${id}/${action}`);
  expect([action, status, body.errors]).toEqual([action, 200, undefined]);
};

const setAttributes = async ({ type, id }: ResourceObject, attributes: object): Promise<void> => {
  const data = { type, id, attributes };
  const { status, body } = await api.client.send('PATCH', `/v2/${type}/${id}`, { data });
  expect([status, body.errors]).toEqual([200, undefined]);
};

const waitForStatus = (client: Client, { type, id }: ResourceObject, ...states: string[]) =>
  eventually(
    () => client.fetch(type as 'customers', id),
    ({ attributes }) => states.includes(attributes.status),
  );

/** Possible changes of each type's records, each in a separate story. */
const stories: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  async customer(client) {
    const customer = await makeCustomer(client);
    await setAttributes(customer, { name: 'Grace' });
    await callAction(customer, 'block');
    await callAction(customer, 'unblock');
  },
  merge: async (client) => {
    const [source, target] = [await makeCustomer(client), await makeCustomer(client)];
    await client.make('customer_merges', {}, { source, target });
  },
  address: async (client) => setAttributes(await makeAddress(client), { line_2: 'Room 5' }),
  card: async (client) => callAction(await makeMethod(client), 'discard'),
  async makeRefunds(client) {
    const payment = await makeCapturedPayment(client);
    for (const amount of [{ amount_cents: 100 }, {}]) {
      await waitForOutcome(
        client,
        (await makeRefund(client, payment, amount)).id,
        'refund_demands',
      );
    }
    const declinedPayment = await makeCapturedPayment(client, { amount_cents: REFUND_DECLINED });
    await waitForOutcome(client, (await makeRefund(client, declinedPayment)).id, 'refund_demands');
  },
  async 'declined, and tried again'(client) {
    const parties = await makeParties(client, 'insufficient_funds');
    const payment = await makeDemand(client, { confirmed: true }, parties);
    await waitForOutcome(client, payment.id);
    await callAction(payment, 'confirm');
    await waitForOutcome(client, payment.id);
  },
  async makeIntent(client) {
    const intent = await makeDemand(client, {}, await makeParties(client));
    await setAttributes(intent, { description: 'Roses' });
    await callAction(intent, 'confirm');
    await waitForOutcome(client, intent.id);
    await callAction(await makeDemand(client), 'cancel');
  },
  async makeCaptures(client) {
    for (const amount_cents of [100, CAPTURE_DECLINED]) {
      const hold = await makeAuthorisedPayment(client, { amount_cents: CAPTURE_DECLINED });
      const capture = await makeCapture(client, hold, { amount_cents });
      await waitForOutcome(client, capture.id, 'capture_demands');
      await waitForStatus(client, hold, 'succeeded', 'authorised');
    }
    const voidedHold = await makeAuthorisedPayment(client);
    await callAction(voidedHold, 'void');
    await waitForStatus(client, voidedHold, 'canceled');
  },
  async makeDisputes(client) {
    for (const action of ['accept', 'submit']) {
      const { id } = await makeCapturedPayment(client, { amount_cents: DISPUTED_CENTS });
      const dispute = await waitForDispute(client, id);
      await setAttributes(dispute, { uncategorized_text: 'They came.' });
      await callAction(dispute, action);
      await waitForStatus(client, dispute, 'won', 'lost');
    }
  },
  async makeSubscription(client) {
    const subscription = await makeSubscription(
      client,
      { confirmed: true },
      await makeParties(client),
    );
    await eventually(
      () => client.fetch('payment_subscriptions', subscription.id),
      ({ attributes }) => attributes.last_processed_at !== null,
    );
    await setAttributes(subscription, { description: 'Roses' });
    for (const action of ['pause', 'resume', 'cancel']) await callAction(subscription, action);
    const attributes = { billing_cycle_anchor_at: FAR_AHEAD };
    await callAction(
      await makeSubscription(client, attributes, await makeParties(client)),
      'confirm',
    );
  },
  async makeRenewals(client) {
    const parties = await makeParties(client);
    const subscription = await makeSubscription(client, { confirmed: true }, parties);
    const changeCard = async (card: string) => {
      const payment_method = await makeMethod(client, card);
      await patch(api, subscription, {}, { payment_method });
    };
    await changeCard('insufficient_funds');
    const clock = await makeClock(client, parties.payer as ResourceObject);
    await advanceAndWait(client, clock, 32 * DAY_SECONDS);
    await changeCard('visa');
    await eventually(
      () => client.fetch('payment_subscriptions', subscription.id),
      ({ attributes }) => attributes.past_due_since === null,
    );
    await changeCard('lost_card');
    await advanceAndWait(client, clock, 50 * DAY_SECONDS);
    await waitForStatus(client, subscription, 'paused');
  },
};

let merchant: string;

/** The database logs each change of the merchant's rows of these types, with its transaction. */
beforeAll(async () => {
  const { db } = api.fixtures;
  merchant = (await api.fixtures.getDemoMerchant()).id;
  await db.query(
    `create table every_event (at bigserial, xid text, type text, before jsonb, after jsonb);
     create function every_event() returns trigger language plpgsql security definer as $$ begin
       if coalesce(to_jsonb(new) ->> 'merchant_id', to_jsonb(new) ->> 'id') = '${merchant}' then
         insert into every_event (xid, type, before, after) values (pg_current_xact_id()::xid::text,
           tg_table_name, case when tg_op = 'UPDATE' then to_jsonb(old) end, to_jsonb(new));
       end if;
       return null;
     end $$`,
    [],
  );
  for (const { table } of modelsWithEvents) {
    const trigger = `create trigger every_event after insert or update on ${table}`;
    await db.query(`${trigger} for each row execute function every_event()`, []);
  }
  await Promise.all(Object.values(stories).map((story) => story(api.client)));
}, 300_000);
/** Drops one trigger a transaction: several locks together could deadlock with the stack's workers. */
afterAll(async () => {
  const { db } = api.fixtures;
  for (const { table } of modelsWithEvents)
    await db.query(`drop trigger if exists every_event on ${table}`, []);
  await db.query('drop function every_event(); drop table every_event', []);
});

type Columns = Readonly<Record<string, unknown>>;

interface RowChange {
  readonly model: Model;
  readonly xid: string;
  readonly before: Columns | null;
  readonly after: Columns;
  /** Served columns that differ. */
  readonly changedColumns: readonly string[];
}

function listServedChanges(
  { fields, toOne }: Model,
  before: Columns | null,
  after: Columns,
): string[] {
  if (!before) return ['id'];
  const served = new Set(
    [...fields.values()].filter(({ readable }) => readable).map(({ column }) => column),
  );
  for (const { column } of toOne.values()) served.add(column);
  served.delete('updated_at');
  return [...served].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

async function readChanges(): Promise<RowChange[]> {
  const rows = await api.fixtures.db.query('select * from every_event order by at', []);
  return rows.map((row) => {
    const model = modelsWithEvents.find(({ table }) => table === row.type) as Model;
    const before = JSON.parse(row.before ?? 'null');
    const after = JSON.parse(row.after as string);
    return {
      model,
      xid: row.xid as string,
      before,
      after,
      changedColumns: listServedChanges(model, before, after),
    };
  });
}

/** Slugs of the events that a change must emit. */
function expectedSlugsOf({ model, before, after, changedColumns }: RowChange): readonly string[] {
  if (changedColumns.length === 0) return before?.notice_at && !after.notice_at ? ['upcoming'] : [];
  if (after.confirmed === false) return [];
  if (!before) return ['created'];
  if (before.confirmed === false) return ['created', 'updated'];
  const isPayment = model.type === 'payment_demands';
  // Claiming a payment emits nothing; the refund's own event covers the reserved amount.
  if (isPayment && before.status === 'pending' && after.status === 'processing') return [];
  if (isPayment && changedColumns.join() === 'amount_refundable_cents') return [];
  if (changedColumns.includes('amount_refunded_cents')) return ['refunded'];
  if (changedColumns.includes('merged_at')) return ['updated', 'merged'];
  const newStatus = String(after.status);
  const isNamed = model.resource.events?.slugs.includes(newStatus) && before.status !== newStatus;
  if (model.type === 'payment_subscriptions') {
    return ['updated', ...dunningEventsOf(before, after), ...statusEventsOf(before, after)];
  }
  return [isNamed && before.status !== 'disputed' ? newStatus : 'updated'];
}

/** Events of a subscription's new state, beside `updated`. */
function statusEventsOf(before: Columns, after: Columns): string[] {
  if (before.status === after.status || before.status === 'pending') return [];
  return [after.status === 'active' ? 'resumed' : String(after.status)];
}

/** Events of a failing, paid or given up charge of a subscription, beside `updated`. */
function dunningEventsOf(before: Columns, after: Columns): string[] {
  const [wasPastDue, isPastDue] = [before, after].map(
    ({ past_due_since }) => (past_due_since ?? null) !== null,
  );
  if (wasPastDue === isPastDue) return [];
  if (isPastDue) return ['past_due'];
  return [after.status === before.status ? 'recovered' : 'unpaid'];
}

const listEvents = () =>
  api.fixtures.db.query(
    `select xmin::text as xid, resource_type, resource_id, slug, sequence, created_at from events
     where merchant_id = $1 order by resource_id, sequence`,
    [merchant],
  );

describe('every event', () => {
  it('is emitted by exactly one change of a record, in its transaction', async () => {
    const events = await listEvents();
    const comparisons = (await readChanges()).map((change) => {
      const { model, xid, before, after, changedColumns } = change;
      const slugs = events
        .filter((event) => event.xid === xid && event.resource_id === after.id)
        .map(({ slug }) => slug);
      return {
        description: `${model.type} ${before?.status}>${after.status} ${changedColumns}`,
        slugs,
        expectedSlugs: expectedSlugsOf(change),
      };
    });
    expect(comparisons.length).toBeGreaterThan(100);
    expect(
      comparisons.filter(({ slugs, expectedSlugs }) => slugs.join() !== expectedSlugs.join()),
    ).toEqual([]);
    expect(events).toHaveLength(comparisons.flatMap(({ slugs }) => slugs).length);
  });

  it('code is emitted by a test', async () => {
    const scopes = new Set(modelsWithEvents.map(({ resource }) => resource.events?.scope));
    const codes = eventCodes.filter((code) => scopes.has(code.split('.').slice(0, -1).join('.')));
    const emittedCodes = (await listEvents()).map((event) =>
      eventCode(event.resource_type ?? '', event.slug ?? ''),
    );
    expect([...new Set(emittedCodes)].toSorted()).toEqual(codes.toSorted());
  });

  it('of a record is numbered without gaps, in the order of their times', async () => {
    for (const recordEvents of Map.groupBy(
      await listEvents(),
      (event) => event.resource_id,
    ).values()) {
      expect(recordEvents.map(({ sequence }) => Number(sequence))).toEqual(
        recordEvents.map((_, at) => at + 1),
      );
      const times = recordEvents.map(({ created_at }) => created_at as string);
      expect(times).toEqual(times.toSorted());
    }
  });
});
