import pg from 'pg';
import { expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { makeParties, makeSubscription } from '../support/make.ts';
import { drained, storyClock } from '../support/story.ts';

const clock = storyClock('2027-01-01T00:00:00Z');
const api = useApi({ config: { clock } });

/** Of more than one transaction, so that each commit has another one beside it. */
const SUBSCRIPTIONS = 120;

/** The first commit of a period since then fails, after all else of its transaction was done. */
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

const everyCharge = async (): Promise<string[]> => {
  const { body } = await api.client.get('/v2/subscription_periods?page[size]=500');
  return body.data.map(({ relationships, attributes }: PeriodObject) =>
    [relationships.payment_subscription.data.id, attributes.start_at].join(' '),
  );
};

interface PeriodObject {
  readonly attributes: { readonly start_at: string };
  readonly relationships: { readonly payment_subscription: { readonly data: { id: string } } };
}

it('a commit of renewals that fails while the next are billed loses none, and none is billed twice', async () => {
  await using client = await connected(api.stack.databaseUrl);
  const parties = await makeParties(api.client);
  const attributes = { confirmed: true, billing_period: 'one_month' };
  for (let made = 0; made < SUBSCRIPTIONS; made++) {
    await makeSubscription(api.client, attributes, parties);
  }
  await drained(api.client);
  const days = [
    // Of the data, so that each is billed alone to find it.
    ['P0001', '2027-02-01T12:00:00Z'],
    // Of the database, so that all is tried again.
    ['57014', '2027-03-01T12:00:00Z'],
  ] as const;
  for (const [at, [code, day]] of days.entries()) {
    await client.query(failingOnce(code));
    clock.moveTo(day);
    await drained(api.client);
    const { rows } = await client.query('select last_value::int as commits from commits');
    await client.query(MENDED);
    expect(rows[0].commits).toBeGreaterThan(SUBSCRIPTIONS);
    const charges = await everyCharge();
    expect(new Set(charges).size).toBe(charges.length);
    expect(charges).toHaveLength(SUBSCRIPTIONS * (at + 2));
  }
  const books = await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json();
  expect(books).toMatchObject({ approved: SUBSCRIPTIONS * (days.length + 1) });
}, 120_000);

async function connected(connectionString: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
