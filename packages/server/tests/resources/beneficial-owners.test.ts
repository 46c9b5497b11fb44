import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Db, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { violatedConstraint } from '../../src/platform/database/wire/constraints.ts';
import { useApi } from '../support/api.ts';
import { type Client, documentOf, type ResourceObject } from '../support/client.ts';
import { eventually, makeIdentification, makeOwner } from '../support/make.ts';
import {
  describeReads,
  describeRefusedMethods,
  describeUnknownRelations,
  errorsOf,
} from '../support/resource-suite.ts';
import { countWaiting } from '../support/waiting.ts';

const api = useApi();
const make = () => makeOwner(api.client);
const subject = {
  type: 'beneficial_owners',
  validAttributes: { ownership_percentage: 1 },
  make,
} as const;

const PERCENTAGE_POINTER = '/data/attributes/ownership_percentage';
const PERSON_POINTER = '/data/relationships/personal_identification';
/** Owners that are created concurrently. */
const CONCURRENT_OWNERS = 6;

/** Creates a merchant without owners in live mode. New merchants have owners in the sandbox. */
const makeMerchantWithoutOwners = async (): Promise<Client> =>
  api.as(await (await api.fixtures.makeMerchant()).makeKey({ mode: 'live' }));

const createOwner = (client: Client, ownership_percentage: unknown, person: ResourceObject) =>
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
  describeUnknownRelations(api, subject);

  it.each([
    ['nothing', null, 'blank'],
    ['0 percent', 0, 'too_small'],
    ['101 percent', 101, 'over_limit'],
    ['half a percent', 0.5, 'invalid'],
    ['text', '10', 'invalid'],
  ])('of %s is refused', async (_title, share, code) => {
    const answer = await createOwner(api.client, share, await makeIdentification(api.client));
    expect([answer.status, errorsOf(answer)]).toEqual([422, [[code, PERCENTAGE_POINTER]]]);
  });

  it('must identify a person', async () => {
    const answer = await api.client.send(
      'POST',
      '/v2/beneficial_owners',
      documentOf('beneficial_owners', subject.validAttributes),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([422, [['blank', PERSON_POINTER]]]);
  });

  it('is one owner, not two', async () => {
    const person = await makeIdentification(api.client);
    expect((await createOwner(api.client, 1, person)).status).toBe(201);
    const secondAnswer = await createOwner(api.client, 2, person);
    expect([secondAnswer.status, errorsOf(secondAnswer)]).toEqual([
      422,
      [['already_owner', PERSON_POINTER]],
    ]);
  });

  it('of a person is created once by concurrent requests', async () => {
    const client = await makeMerchantWithoutOwners();
    const person = await makeIdentification(client);
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_OWNERS }, () => createOwner(client, 1, person)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array.from({ length: CONCURRENT_OWNERS - 1 }, () => 422),
    ]);
    expect(await sharesOf(client)).toEqual([1]);
  });
});

describe('the owners of a merchant', () => {
  it('hold at most 100 percent', async () => {
    const client = await makeMerchantWithoutOwners();
    const answers = [];
    for (const share of [60, 41, 40, 1]) {
      answers.push(await createOwner(client, share, await makeIdentification(client)));
    }
    const [, secondAnswer, , lastAnswer] = answers;
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 201, 422]);
    expect(errorsOf(secondAnswer!)).toEqual([['more_than_whole', PERCENTAGE_POINTER]]);
    expect(errorsOf(lastAnswer!)).toEqual([['more_than_whole', PERCENTAGE_POINTER]]);
  });

  it('hold at most 100 percent after concurrent requests', async () => {
    const client = await makeMerchantWithoutOwners();
    const persons = await Promise.all(
      Array.from({ length: CONCURRENT_OWNERS }, () => makeIdentification(client)),
    );
    const answers = await Promise.all(persons.map((person) => createOwner(client, 30, person)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await sharesOf(client)).toEqual([30, 30, 30]);
  });

  it('hold at most 100 percent when two processes add one concurrently', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const client = api.as(await merchant.makeKey({ mode: 'live' }));
    const [firstPerson, secondPerson] = [
      await makeIdentification(client),
      await makeIdentification(client),
    ];
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 3 });
    const catalog = await loadCatalog(db);
    const addOwner = (tx: Db, { id }: ResourceObject) =>
      insertRows(tx, catalog, 'beneficial_owners', [
        { ...ownerRow(merchant.id), id, personal_identification_id: id },
      ]);
    const insertDone = Promise.withResolvers<void>();
    const commitRequested = Promise.withResolvers<void>();
    const firstTransaction = db.transaction(async (tx) => {
      await addOwner(tx, firstPerson);
      insertDone.resolve();
      await commitRequested.promise;
    });
    await insertDone.promise;
    const secondTransaction = db
      .transaction((tx) => addOwner(tx, secondPerson))
      .catch(violatedConstraint);
    await Promise.race([secondTransaction, eventually(() => countWaiting(db), Boolean)]);
    commitRequested.resolve();
    await firstTransaction;
    expect(await secondTransaction).toBe('beneficial_owners_whole');
    expect(await sharesOf(client)).toEqual([60]);
  });

  it('are limited in each mode separately', async () => {
    const merchant = await api.fixtures.makeMerchant();
    for (const mode of ['sandbox', 'live'] as const) {
      const client = api.as(await merchant.makeKey({ mode }));
      const remainingShare = 100 - (await sharesOf(client)).reduce((sum, share) => sum + share, 0);
      expect(
        (await createOwner(client, remainingShare, await makeIdentification(client))).status,
      ).toBe(201);
    }
  });

  it('are created once by two requests with one key', async () => {
    const client = await makeMerchantWithoutOwners();
    const personal_identification = await makeIdentification(client);
    const document = documentOf(
      'beneficial_owners',
      { ownership_percentage: 100 },
      { personal_identification },
    );
    const send = () =>
      client.send('POST', '/v2/beneficial_owners', document, { 'idempotency-key': 'once' });
    const [firstAnswer, secondAnswer] = [await send(), await send()];
    expect([firstAnswer.status, secondAnswer.status]).toEqual([201, 201]);
    expect(secondAnswer.body.data).toEqual(firstAnswer.body.data);
  });
});
