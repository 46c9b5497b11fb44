import { expect, it } from 'vitest';
import { BILL_MAX } from '../../src/features/subscriptions/billing/bill.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import { useOwnStack } from '../support/api.ts';
import { makeParties, makeSubscription } from '../support/make.ts';
import { drained, storyClock } from '../support/story-clock.ts';

const clock = storyClock('2027-01-01T00:00:00Z');
const api = useOwnStack({ config: { clock } });

/** More than one transaction, so that each commit runs beside another transaction. */
const SUBSCRIPTIONS = BILL_MAX + 10;

/** Lets the first commit of each later period fail, after the rest of its transaction. */
const failingOnce = (code: string): string => `
  create sequence commits;
  create function fail_once() returns trigger language plpgsql as $$ begin
    if nextval('commits') = 1 then raise exception 'no commit' using errcode = '${code}'; end if;
    return null;
  end $$;
  create constraint trigger fail_once after insert on subscription_periods
    deferrable initially deferred for each row execute function fail_once()`;
const MENDED =
  'drop trigger fail_once on subscription_periods; drop function fail_once; drop sequence commits';

interface PeriodObject {
  readonly attributes: { readonly start_at: string };
  readonly relationships: { readonly payment_subscription: { readonly data: { id: string } } };
}

const everyPeriod = async (): Promise<string[]> => {
  const { body } = await api.client.get('/v2/subscription_periods?page[size]=500');
  return body.data.map(({ relationships, attributes }: PeriodObject) =>
    [relationships.payment_subscription.data.id, attributes.start_at].join(' '),
  );
};

it('a failed commit of renewals during the next batch loses none, and none is billed twice', async () => {
  await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
  const parties = await makeParties(api.client);
  const attributes = { confirmed: true, billing_period: 'one_month' };
  await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, () => makeSubscription(api.client, attributes, parties)),
  );
  await drained(api.client);
  const days = [
    // A data error: each subscription is billed alone to find it.
    ['P0001', '2027-02-01T12:00:00Z'],
    // A database error: everything is retried.
    ['57014', '2027-03-01T12:00:00Z'],
  ] as const;
  for (const [at, [code, day]] of days.entries()) {
    await db.query(failingOnce(code), []);
    clock.moveTo(day);
    await drained(api.client);
    const [row] = await db.query('select last_value from commits', []);
    await db.query(MENDED, []);
    expect(Number(row?.last_value)).toBeGreaterThan(SUBSCRIPTIONS);
    const periods = await everyPeriod();
    expect(new Set(periods).size).toBe(periods.length);
    expect(periods).toHaveLength(SUBSCRIPTIONS * (at + 2));
  }
  const books = await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json();
  expect(books).toMatchObject({ approved: SUBSCRIPTIONS * (days.length + 1) });
}, 120_000);
