import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import { violatedConstraint } from '../../src/platform/database/constraints.ts';
import { type Db, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { useApi } from '../support/api.ts';
import { type Client, documentOf, type ResourceObject } from '../support/client.ts';
import { eventually, makeIdentification, makeOwner } from '../support/make.ts';
import {
  describeLostRelations,
  describeReads,
  describeRefusedMethods,
  errorsOf,
} from '../support/resource-suite.ts';
import { countWaiting } from '../support/waiting.ts';

const api = useApi();
const make = () => makeOwner(api.client);
const subject = {
  type: 'beneficial_owners',
  valid: { ownership_percentage: 1 },
  make,
} as const;

const PERCENTAGE = '/data/attributes/ownership_percentage';
const PERSON = '/data/relationships/personal_identification';
/** Owners that are created concurrently. */
const CROWD = 6;

/** A merchant without owners in live mode. The sandbox has the owners of every new merchant. */
const makeUnowned = async (): Promise<Client> =>
  api.as(await (await api.fixtures.makeMerchant()).key({ mode: 'live' }));

const makeOwnerOf = (client: Client, ownership_percentage: unknown, person: ResourceObject) =>
  client.send(
    'POST',
    '/v2/beneficial_owners',
    documentOf('beneficial_owners', { ownership_percentage }, { personal_identification: person }),
  );

const sharesOf = async (client: Client): Promise<number[]> =>
  (await client.get('/v2/beneficial_owners')).body.data.map(
    ({ attributes }: ResourceObject) => attributes.ownership_percentage,
  );

/** All columns except the person, which is a separate row. */
function ownerRow(merchant_id: string): Row {
  const at = new Date().toISOString();
  return {
    merchant_id,
    mode: 'live',
    ownership_percentage: '60',
    created_at: at,
    updated_at: at,
  };
}

describe('a beneficial owner', () => {
  describeReads(api, 'beneficial_owners', make);
  describeRefusedMethods(api, 'beneficial_owners');
  describeLostRelations(api, subject);

  it.each([
    ['nothing', null, 'blank'],
    ['0 percent', 0, 'too_small'],
    ['101 percent', 101, 'over_limit'],
    ['half a percent', 0.5, 'invalid'],
    ['text', '10', 'invalid'],
  ])('of %s is refused', async (_what, share, code) => {
    const answer = await makeOwnerOf(api.client, share, await makeIdentification(api.client));
    expect([answer.status, errorsOf(answer)]).toEqual([422, [[code, PERCENTAGE]]]);
  });

  it('must identify a person', async () => {
    const answer = await api.client.send(
      'POST',
      '/v2/beneficial_owners',
      documentOf('beneficial_owners', subject.valid),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([422, [['blank', PERSON]]]);
  });

  it('is one owner, not two', async () => {
    const person = await makeIdentification(api.client);
    expect((await makeOwnerOf(api.client, 1, person)).status).toBe(201);
    const again = await makeOwnerOf(api.client, 2, person);
    expect([again.status, errorsOf(again)]).toEqual([422, [['already_owner', PERSON]]]);
  });

  it('of a person is created once by concurrent requests', async () => {
    const client = await makeUnowned();
    const person = await makeIdentification(client);
    const answers = await Promise.all(
      Array.from({ length: CROWD }, () => makeOwnerOf(client, 1, person)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array.from({ length: CROWD - 1 }, () => 422),
    ]);
    expect(await sharesOf(client)).toEqual([1]);
  });
});

describe('the owners of a merchant', () => {
  it('hold at most 100 percent', async () => {
    const client = await makeUnowned();
    const answers = [];
    for (const share of [60, 41, 40, 1]) {
      answers.push(await makeOwnerOf(client, share, await makeIdentification(client)));
    }
    const [, over, , last] = answers;
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 201, 422]);
    expect(errorsOf(over!)).toEqual([['more_than_whole', PERCENTAGE]]);
    expect(errorsOf(last!)).toEqual([['more_than_whole', PERCENTAGE]]);
  });

  it('hold at most 100 percent after concurrent requests', async () => {
    const client = await makeUnowned();
    const persons = await Promise.all(
      Array.from({ length: CROWD }, () => makeIdentification(client)),
    );
    const answers = await Promise.all(persons.map((person) => makeOwnerOf(client, 30, person)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await sharesOf(client)).toEqual([30, 30, 30]);
  });

  it('hold at most 100 percent when two processes add one concurrently', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const client = api.as(await merchant.key({ mode: 'live' }));
    const [first, second] = [await makeIdentification(client), await makeIdentification(client)];
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 3 });
    const catalog = await loadCatalog(db);
    const add = (tx: Db, { id }: ResourceObject) =>
      insertRows(tx, catalog, 'beneficial_owners', [
        { ...ownerRow(merchant.id), id, personal_identification_id: id },
      ]);
    const added = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const one = db.transaction(async (tx) => {
      await add(tx, first);
      added.resolve();
      await commit.promise;
    });
    await added.promise;
    const other = db.transaction((tx) => add(tx, second)).catch(violatedConstraint);
    await Promise.race([other, eventually(() => countWaiting(db), Boolean)]);
    commit.resolve();
    await one;
    expect(await other).toBe('beneficial_owners_whole');
    expect(await sharesOf(client)).toEqual([60]);
  });

  it('are limited in each mode separately', async () => {
    const merchant = await api.fixtures.makeMerchant();
    for (const mode of ['sandbox', 'live'] as const) {
      const client = api.as(await merchant.key({ mode }));
      const rest = 100 - (await sharesOf(client)).reduce((sum, share) => sum + share, 0);
      expect((await makeOwnerOf(client, rest, await makeIdentification(client))).status).toBe(201);
    }
  });

  it('are created once by two requests with one key', async () => {
    const client = await makeUnowned();
    const personal_identification = await makeIdentification(client);
    const document = documentOf(
      'beneficial_owners',
      { ownership_percentage: 100 },
      { personal_identification },
    );
    const send = () =>
      client.send('POST', '/v2/beneficial_owners', document, { 'idempotency-key': 'once' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.data).toEqual(first.body.data);
  });
});
