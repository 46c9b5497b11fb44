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

const act = async ({ type, id }: ResourceObject, action: string): Promise<void> => {
  const { status, body } = await api.client.send('PATCH', `/v2/${type}/${id}/${action}`);
  expect([action, status, body.errors]).toEqual([action, 200, undefined]);
};

const setAttributes = async ({ type, id }: ResourceObject, attributes: object): Promise<void> => {
  const data = { type, id, attributes };
  const { status, body } = await api.client.send('PATCH', `/v2/${type}/${id}`, { data });
  expect([status, body.errors]).toEqual([200, undefined]);
};

const untilStatus = (client: Client, { type, id }: ResourceObject, ...states: string[]) =>
  eventually(
    () => client.fetch(type as 'customers', id),
    ({ attributes }) => states.includes(attributes.status),
  );

/** Possible changes of each type's records, each in a separate story. */
const stories: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  async customer(client) {
    const customer = await makeCustomer(client);
    await setAttributes(customer, { name: 'Grace' });
    await act(customer, 'block');
    await act(customer, 'unblock');
  },
  address: async (client) => setAttributes(await makeAddress(client), { line_2: 'Room 5' }),
  card: async (client) => act(await makeMethod(client), 'discard'),
  async makeRefunds(client) {
    const paid = await makeCapturedPayment(client);
    for (const amount of [{ amount_cents: 100 }, {}]) {
      await waitForOutcome(client, (await makeRefund(client, paid, amount)).id, 'refund_demands');
    }
    const other = await makeCapturedPayment(client, { amount_cents: REFUND_DECLINED });
    await waitForOutcome(client, (await makeRefund(client, other)).id, 'refund_demands');
  },
  async 'declined, and tried again'(client) {
    const parties = await makeParties(client, 'insufficient_funds');
    const poor = await makeDemand(client, { confirmed: true }, parties);
    await waitForOutcome(client, poor.id);
    await act(poor, 'confirm');
    await waitForOutcome(client, poor.id);
  },
  async makeIntent(client) {
    const intent = await makeDemand(client, {}, await makeParties(client));
    await setAttributes(intent, { description: 'Roses' });
    await act(intent, 'confirm');
    await waitForOutcome(client, intent.id);
    await act(await makeDemand(client), 'cancel');
  },
  async makeCaptures(client) {
    for (const amount_cents of [100, CAPTURE_DECLINED]) {
      const held = await makeAuthorisedPayment(client, { amount_cents: CAPTURE_DECLINED });
      const capture = await makeCapture(client, held, { amount_cents });
      await waitForOutcome(client, capture.id, 'capture_demands');
      await untilStatus(client, held, 'succeeded', 'authorised');
    }
    const voided = await makeAuthorisedPayment(client);
    await act(voided, 'void');
    await untilStatus(client, voided, 'canceled');
  },
  async makeDisputes(client) {
    for (const action of ['accept', 'submit']) {
      const { id } = await makeCapturedPayment(client, { amount_cents: DISPUTED_CENTS });
      const dispute = await waitForDispute(client, id);
      await setAttributes(dispute, { uncategorized_text: 'They came.' });
      await act(dispute, action);
      await untilStatus(client, dispute, 'won', 'lost');
    }
  },
  async makeSubscription(client) {
    const started = await makeSubscription(client, { confirmed: true }, await makeParties(client));
    await eventually(
      () => client.fetch('payment_subscriptions', started.id),
      ({ attributes }) => attributes.last_processed_at !== null,
    );
    await setAttributes(started, { description: 'Roses' });
    for (const action of ['pause', 'resume', 'cancel']) await act(started, action);
    const later = { billing_cycle_anchor_at: FAR_AHEAD };
    await act(await makeSubscription(client, later, await makeParties(client)), 'confirm');
  },
  async makeRenewals(client) {
    const parties = await makeParties(client);
    const made = await makeSubscription(client, { confirmed: true }, parties);
    const pay = async (card: string) => {
      const payment_method = await makeMethod(client, card);
      await patch(api, made, {}, { payment_method });
    };
    await pay('insufficient_funds');
    const clock = await makeClock(client, parties.payer as ResourceObject);
    await advanceAndWait(client, clock, 32 * DAY_SECONDS);
    await pay('visa');
    await eventually(
      () => client.fetch('payment_subscriptions', made.id),
      ({ attributes }) => attributes.past_due_since === null,
    );
    await pay('lost_card');
    await advanceAndWait(client, clock, 50 * DAY_SECONDS);
    await untilStatus(client, made, 'paused');
  },
};

let merchant: string;

/** The database logs each change of the merchant's rows of these types, with its transaction. */
beforeAll(async () => {
  const { db } = api.fixtures;
  merchant = (await api.fixtures.getDemoMerchant()).id;
  await db.query(
    `create table every_event (at bigserial, xid text, type text, before jsonb, after jsonb);
     create function every_event() returns trigger language plpgsql as $$ begin
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
}, 120_000);
/** Drops one trigger a transaction: several locks together could deadlock with the stack's workers. */
afterAll(async () => {
  const { db } = api.fixtures;
  for (const { table } of modelsWithEvents)
    await db.query(`drop trigger if exists every_event on ${table}`, []);
  await db.query('drop function every_event(); drop table every_event', []);
});

type Columns = Readonly<Record<string, unknown>>;

interface Seen {
  readonly model: Model;
  readonly xid: string;
  readonly before: Columns | null;
  readonly after: Columns;
  /** Served columns that differ. */
  readonly changed: readonly string[];
}

function servedChange({ fields, toOne }: Model, before: Columns | null, after: Columns): string[] {
  if (!before) return ['id'];
  const served = new Set(
    [...fields.values()].filter(({ readable }) => readable).map(({ column }) => column),
  );
  for (const { column } of toOne.values()) served.add(column);
  served.delete('updated_at');
  return [...served].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

async function changes(): Promise<Seen[]> {
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
      changed: servedChange(model, before, after),
    };
  });
}

/** Slugs of the events that a change must emit. */
function dueFor({ model, before, after, changed }: Seen): readonly string[] {
  if (changed.length === 0) return before?.notice_at && !after.notice_at ? ['upcoming'] : [];
  if (after.confirmed === false) return [];
  if (!before) return ['created'];
  if (before.confirmed === false) return ['created', 'updated'];
  const isPayment = model.type === 'payment_demands';
  // Claiming a payment emits nothing; the refund's own event covers the reserved amount.
  if (isPayment && before.status === 'pending' && after.status === 'processing') return [];
  if (isPayment && changed.join() === 'amount_refundable_cents') return [];
  if (changed.includes('amount_refunded_cents')) return ['refunded'];
  const entered = String(after.status);
  const isNamed = model.resource.events?.slugs.includes(entered) && before.status !== entered;
  if (model.type === 'payment_subscriptions') {
    return ['updated', ...arrearsOf(before, after), ...lifeOf(before, after)];
  }
  return [isNamed && before.status !== 'disputed' ? entered : 'updated'];
}

/** Events of a subscription's new state, beside `updated`. */
function lifeOf(before: Columns, after: Columns): string[] {
  if (before.status === after.status || before.status === 'pending') return [];
  return [after.status === 'active' ? 'resumed' : String(after.status)];
}

/** Events of a failing, paid or given up charge of a subscription, beside `updated`. */
function arrearsOf(before: Columns, after: Columns): string[] {
  const [was, is] = [before, after].map(({ past_due_since }) => (past_due_since ?? null) !== null);
  if (was === is) return [];
  if (is) return ['past_due'];
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
    const happened = await listEvents();
    const lines = (await changes()).map((seen) => {
      const { model, xid, before, after, changed } = seen;
      const slugs = happened
        .filter((event) => event.xid === xid && event.resource_id === after.id)
        .map(({ slug }) => slug);
      return {
        what: `${model.type} ${before?.status}>${after.status} ${changed}`,
        slugs,
        due: dueFor(seen),
      };
    });
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.filter(({ slugs, due }) => slugs.join() !== due.join())).toEqual([]);
    expect(happened).toHaveLength(lines.flatMap(({ slugs }) => slugs).length);
  });

  it('code is emitted by a test', async () => {
    const scopes = new Set(modelsWithEvents.map(({ resource }) => resource.events?.scope));
    const codes = eventCodes.filter((code) => scopes.has(code.split('.').slice(0, -1).join('.')));
    const seen = (await listEvents()).map((one) =>
      eventCode(one.resource_type ?? '', one.slug ?? ''),
    );
    expect([...new Set(seen)].toSorted()).toEqual(codes.toSorted());
  });

  it('of a record is numbered without gaps, in the order of their times', async () => {
    for (const group of Map.groupBy(await listEvents(), (one) => one.resource_id).values()) {
      expect(group.map(({ sequence }) => Number(sequence))).toEqual(group.map((_, at) => at + 1));
      const times = group.map(({ created_at }) => created_at as string);
      expect(times).toEqual(times.toSorted());
    }
  });
});
