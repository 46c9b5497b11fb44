import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, documentOf, type ResourceObject } from '../support/client.ts';
import { makeCustomer } from '../support/make.ts';
import { type Checkout, copyCheckout } from './checkout.ts';

const DEFINITION = `import { defineResource, timestamps } from './define-resource.ts';

export const notes = defineResource({
  type: 'notes',
  summary: 'Something to remember of a customer',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch', 'create', 'update'],
  events: { scope: 'consumer.notes', slugs: ['created', 'updated'] },
  fields: {
    title: { type: 'string', create: 'required', update: true, max: 100 },
    stars: { type: 'integer', create: 'optional', update: true, min: 1, max: 5 },
    kind: { type: 'enum', values: ['memo', 'draft'], create: 'optional', default: 'memo' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: { to: 'customers', create: 'optional', update: true },
  },
});
`;

let checkout: Checkout;
let printed: string;
let florin: Processes;
let client: Client;
let note: ResourceObject;
let customer: ResourceObject;

beforeAll(async () => {
  checkout = copyCheckout();
  const resources = join(checkout.path, 'packages/contract/src/resources');
  writeFileSync(join(resources, 'notes.ts'), DEFINITION);
  register(join(resources, 'index.ts'));
  printed = await checkout.run('scripts/db-diff.ts', 'notes');
  florin = await startProcesses({ checkout: checkout.path });
  client = createClient(florin.baseUrl, florin.credentials.sandbox.secret_key);
  customer = await makeCustomer(client);
  note = await client.make('notes', { title: 'Call back', stars: 4 }, { customer });
}, 120_000);

afterAll(async () => {
  await florin?.[Symbol.asyncDispose]();
  checkout?.[Symbol.dispose]();
});

/** A contributor's lines in the registry: the import and the type. */
function register(path: string): void {
  const registry = readFileSync(path, 'utf8')
    .replace("import { events } from './events.ts';\n", "$&import { notes } from './notes.ts';\n")
    .replace('  events,\n', '$&  notes,\n');
  writeFileSync(path, registry);
}

const ids = (data: ResourceObject[]): string[] => data.map(({ id }) => id);

describe('a type that is one file and one line of the registry', () => {
  it('has its migration written, which db:diff then finds complete', async () => {
    expect(printed).toContain('create table notes (');
    expect(printed).toMatch(/Written to .*\/\d{4}-notes\.sql/);
    expect(await checkout.run('scripts/db-diff.ts')).not.toContain('notes');
  });

  it('is created with its defaults and fetched', async () => {
    expect(note).toMatchObject({
      type: 'notes',
      attributes: { title: 'Call back', stars: 4, kind: 'memo' },
      relationships: { customer: { data: { type: 'customers', id: customer.id } } },
    });
    expect(await client.fetch('notes', note.id)).toEqual(note);
  });

  it('is checked as its definition says', async () => {
    const answer = await client.send('POST', '/v2/notes', documentOf('notes', { stars: 6 }));
    expect(answer.status).toBe(422);
    expect(answer.body.errors?.map(({ source }) => source?.pointer).toSorted()).toEqual([
      '/data/attributes/stars',
      '/data/attributes/title',
    ]);
  });

  it('is updated, and tells of it', async () => {
    const changed = documentOf('notes', { title: 'Called' }, {}, note.id);
    const { status, body } = await client.send('PATCH', `/v2/notes/${note.id}`, changed);
    expect([status, body.data.attributes.title]).toEqual([200, 'Called']);
    const events = await client.get(`/v2/events?filter[resource_id]=${note.id}&sort=created_at`);
    expect(events.body.data.map((event: ResourceObject) => event.attributes.slug)).toEqual([
      'created',
      'updated',
    ]);
  });

  it.each([
    '',
    'filter[stars_gte]=4',
    'filter[kind]=memo',
    'filter[customer.name]=Ada',
    'sort=-stars',
  ])('is listed with %j', async (query) => {
    expect(ids((await client.get(`/v2/notes?${query}`)).body.data)).toEqual([note.id]);
  });

  it('is found in vain by what it does not have, and by a key of the other mode', async () => {
    expect((await client.get('/v2/notes?filter[stars]=1')).body.data).toEqual([]);
    const live = createClient(florin.baseUrl, florin.credentials.live.secret_key);
    expect((await live.get('/v2/notes')).body.data).toEqual([]);
  });

  it('leads to its related record, and brings it when it is asked to', async () => {
    const related = await client.get(`/v2/notes/${note.id}/relationships/customer`);
    expect(related.body.data.id).toBe(customer.id);
    const whole = await client.get(
      `/v2/notes/${note.id}?include=customer&fields[notes]=title,customer`,
    );
    expect(whole.body.included?.map(({ id }) => id)).toEqual([customer.id]);
    expect(Object.keys(whole.body.data.attributes)).toEqual(['title']);
  });

  it('stands in the description of the interface', async () => {
    const answer = await fetch(`${florin.baseUrl}/v2/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, object> };
    expect(Object.keys(paths['/v2/notes'] ?? {})).toEqual(expect.arrayContaining(['get', 'post']));
    expect(Object.keys(paths['/v2/notes/{id}'] ?? {})).toEqual(
      expect.arrayContaining(['get', 'patch']),
    );
  });
});
