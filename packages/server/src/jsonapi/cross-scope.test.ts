import { ProblemError } from '@florin/contract/errors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../platform/database/db.ts';
import type { RequestContext } from './behaviour.ts';
import { createDatabase } from './filter-to-sql/testing/database.ts';
import { at, insertRows, shopA, shopB, uuid } from './filter-to-sql/testing/rows.ts';
import { parseCreate } from './parse-document/parse-document.ts';
import { createReader, type Reader } from './reading/read.ts';
import { clubModels, clubSchema } from './testing/clubs.ts';

const person = (number: number) => uuid('b', number);
const club = (number: number) => uuid('c', number);
const worker = (number: number) => uuid('d', number);
const shift = (number: number) => uuid('e', number);

const context = (merchant_id: string, mode: 'live' | 'sandbox'): RequestContext => ({
  scope: { merchant_id, mode },
  now: () => 0,
  request_id: 'r',
  base_url: 'https://api.example',
  permissions: 'all',
  settings: { currencies: new Set(), timezone: 'UTC', threeds: 'off', merchant_status: 'active' },
});
const sandbox = context(shopA, 'sandbox');
const live = context(shopA, 'live');
const otherShop = context(shopB, 'sandbox');

let db: Database;
let reader: Reader;
beforeAll(async () => {
  db = await createDatabase(clubSchema);
  reader = createReader({ db, models: clubModels, cursor_key: 'test' });
  const ofShop = (merchant_id: string) => ({ merchant_id });
  await insertRows(db, 'shops', [
    { id: shopA, name: 'A' },
    { id: shopB, name: 'B' },
  ]);
  await insertRows(db, 'people', [
    { id: person(1), name: 'Ann', confirmed: 'true', seen_at: at(1) },
    { id: person(2), name: 'Bob' },
    { id: person(3), name: 'Live', mode: 'live' },
    { id: person(4), name: 'Other', ...ofShop(shopB) },
  ]);
  await insertRows(db, 'clubs', [
    { id: club(1), name: 'Chess' },
    { id: club(2), name: 'Empty' },
  ]);
  await insertRows(db, 'club_people', [
    { club_id: club(1), person_id: person(1) },
    { club_id: club(1), person_id: person(2) },
    { club_id: club(1), person_id: person(3) },
    { club_id: club(1), person_id: person(4), ...ofShop(shopB) },
  ]);
  await insertRows(db, 'staff', [
    { id: worker(1), name: 'Both', person_id: person(1) },
    { id: worker(2), name: 'Invited', person_id: person(3) },
    { id: worker(3), name: 'Theirs', person_id: person(4) },
  ]);
  await insertRows(db, 'shifts', [
    { id: shift(1), worker_id: worker(1), begun_at: at(1) },
    { id: shift(2), worker_id: worker(2) },
    { id: shift(3), worker_id: worker(1), begun_at: at(1), ...ofShop(shopB) },
    { id: shift(4), worker_id: worker(3), begun_at: at(1), ...ofShop(shopB) },
  ]);
});
afterAll(() => db[Symbol.asyncDispose]());

interface Resource {
  id: string;
  attributes: Record<string, unknown>;
  relationships: Record<string, { data?: { id: string } | { id: string }[] | null }>;
}
interface Document {
  data: Resource[];
  included?: Resource[];
}

const parse = ({ body }: { readonly body: Buffer }) => JSON.parse(body.toString());
const listRecords = async (ctx: RequestContext, type: string, query = ''): Promise<Document> =>
  parse(await reader.listRecords(ctx, clubModels.get(type), query));
const toNumbers = (resources: readonly { id: string }[] = []) =>
  resources.map(({ id }) => Number(id.slice(-3))).sort();
const listIds = async (ctx: RequestContext, type: string, query = '') =>
  toNumbers((await listRecords(ctx, type, query)).data);
const fetchRelated = async (ctx: RequestContext, type: string, id: string, name: string) => {
  const model = clubModels.get(type);
  const relation = model.relations.get(name) ?? expect.fail(`${type} has no ${name}`);
  return parse(await reader.fetchRelated(ctx, model, id, relation, ''));
};

describe('a relation over a table of pairs', () => {
  it('is included from both ends with full linkage, only for the own merchant and mode', async () => {
    const { data, included } = await listRecords(sandbox, 'clubs', 'include=people&sort=name');
    expect(data.map(({ relationships }) => toNumbers(relationships.people?.data as []))).toEqual([
      [1, 2],
      [],
    ]);
    expect(toNumbers(included)).toEqual([1, 2]);
    const clubsOfPeople = await listRecords(sandbox, 'people', 'include=clubs');
    expect(
      clubsOfPeople.data.map(({ relationships }) => toNumbers(relationships.clubs?.data as [])),
    ).toEqual([[1], [1]]);
    expect(toNumbers(clubsOfPeople.included)).toEqual([1]);
  });

  it('has its own address in each scope', async () => {
    const memberNumbers = async (ctx: RequestContext) =>
      toNumbers((await fetchRelated(ctx, 'clubs', club(1), 'people')).data);
    expect(await Promise.all([sandbox, live, otherShop].map(memberNumbers))).toEqual([
      [1, 2],
      [3],
      [4],
    ]);
    expect(toNumbers((await fetchRelated(sandbox, 'people', person(1), 'clubs')).data)).toEqual([
      1,
    ]);
  });

  it.each([
    ['people', 'filter[clubs.name]=Chess', [1, 2]],
    ['people', 'filter[clubs.name]=Empty', []],
    ['clubs', `filter[people]=${person(1)}`, [1]],
    ['clubs', `filter[people]=${person(4)}`, []],
    ['clubs', 'filter[people.name]=Other', []],
    ['clubs', 'filter[people]=null', [2]],
    ['clubs', 'filter[people.clubs.people.name]=Ann', [1]],
  ])('filters %s by %s', async (type, query, expected) => {
    expect(await listIds(sandbox, type, query)).toEqual(expected);
  });

  it('takes many identifiers in a create, removes duplicates, and names the wrong one', () => {
    const documentText = (data: unknown) =>
      JSON.stringify({ data: { type: 'people', relationships: { clubs: { data } } } });
    const identifier = { type: 'clubs', id: club(1) };
    const parseClubs = (data: unknown) => parseCreate(clubModels.get('people'), documentText(data));
    expect(parseClubs([identifier, identifier]).relationships).toEqual({ clubs: [club(1)] });
    expect(parseClubs([]).relationships).toEqual({ clubs: [] });
    const problemsOf = (data: unknown) => {
      try {
        return parseClubs(data);
      } catch (error) {
        return (error as ProblemError).problems.map(({ code, source }) => [code, source]);
      }
    };
    const pointer = '/data/relationships/clubs';
    expect(problemsOf(identifier)).toEqual([['invalid_document', { pointer }]]);
    expect(problemsOf([identifier, { type: 'people', id: club(1) }])).toEqual([
      ['type_conflict', { pointer: `${pointer}/data/1/type` }],
    ]);
    expect(problemsOf([{ type: 'clubs', id: 'x' }])).toEqual([
      ['relationship_not_found', { pointer }],
    ]);
  });
});

describe('platform rows that are visible through another relation', () => {
  it('are those of merchants with such a row in force', async () => {
    expect(await listIds(sandbox, 'staff')).toEqual([1]);
    expect(await listIds(otherShop, 'staff')).toEqual([1, 3]);
    const fetch = reader.fetchRecord(sandbox, clubModels.get('staff'), worker(2), '');
    await expect(fetch).rejects.toBeInstanceOf(ProblemError);
  });

  it('include only the own rows of that relation', async () => {
    const { data } = await listRecords(sandbox, 'staff', 'include=shifts');
    expect(toNumbers(data[0]?.relationships.shifts?.data as [])).toEqual([1]);
  });
});

describe('a reference to a row that the caller may not see', () => {
  const referencesOf = async (ctx: RequestContext, type: string, name: string) =>
    Object.fromEntries(
      (await listRecords(ctx, type)).data.map(({ id, relationships }) => {
        const data = relationships[name]?.data as { id: string } | null;
        return [id.slice(-1), data && Number(data.id.slice(-3))];
      }),
    );

  it('reads as null, in lists and by id', async () => {
    expect(await referencesOf(sandbox, 'shifts', 'worker')).toEqual({ 1: 1, 2: null });
    expect(await referencesOf(otherShop, 'staff', 'person')).toEqual({ 1: null, 3: 4 });
    expect(await referencesOf(live, 'staff', 'person')).toEqual({ 1: null });
    const invitedDocument = parse(
      await reader.fetchRecord(live, clubModels.get('staff'), worker(1), 'include=person'),
    );
    expect([invitedDocument.data.relationships.person.data, invitedDocument.included]).toEqual([
      null,
      [],
    ]);
    expect((await fetchRelated(live, 'staff', worker(1), 'person')).data).toBeNull();
  });

  it.each([
    [`filter[worker]=${worker(2)}`, []],
    [`filter[worker.id]=${worker(2)}`, []],
    [`filter[worker]=${worker(1)}`, [1]],
    ['filter[worker]=null', [2]],
    ['filter[worker.name]=Invited', []],
    ['filter[worker.person.name]=Ann', [1]],
    ['sort=worker.name', [1, 2]],
    ['sort=-worker.id', [1, 2]],
  ])('is no match for %s', async (query, expected) => {
    expect(await listIds(sandbox, 'shifts', query)).toEqual(expected);
  });
});

describe('a field that is absent until the confirmation', () => {
  it('is omitted before, and present afterwards, with a value or null', async () => {
    const { data } = await listRecords(sandbox, 'people', 'sort=name');
    expect(data.map(({ attributes }) => Object.keys(attributes))).toEqual([
      ['name', 'confirmed', 'created_at', 'updated_at', 'seen_at', 'left_at'],
      ['name', 'confirmed', 'created_at', 'updated_at'],
    ]);
    expect(data[0]?.attributes).toMatchObject({ seen_at: at(1), left_at: null });
  });

  it('is omitted as the only requested field, too', async () => {
    const { data } = await listRecords(
      sandbox,
      'people',
      'sort=name&fields[people]=left_at,seen_at',
    );
    expect(data.map(({ attributes }) => attributes)).toEqual([
      { seen_at: at(1), left_at: null },
      {},
    ]);
  });
});
