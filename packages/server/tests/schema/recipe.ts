import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The steps of CONTRIBUTING.md for a resource with events, as a contributor writes them for a type `notes`. */
interface Step {
  readonly file: string;
  /** Text of the file after which `text` goes; a new file has none. */
  readonly anchor?: string;
  readonly text: string;
}

const RESOURCES = 'packages/contract/src/resources';

const definitionStep: Step = {
  file: `${RESOURCES}/notes.ts`,
  text: `import { defineResource, timestamps } from './define-resource.ts';

export const notes = defineResource({
  type: 'notes',
  summary: 'A remark about a customer',
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
`,
};

const registrationSteps: readonly Step[] = [
  {
    file: `${RESOURCES}/index.ts`,
    anchor: "import { merchants } from './merchants.ts';\n",
    text: "import { notes } from './notes.ts';\n",
  },
  { file: `${RESOURCES}/index.ts`, anchor: '  merchants,\n', text: '  notes,\n' },
];

const eventSteps: readonly Step[] = [
  {
    file: `${RESOURCES}/event-codes.ts`,
    anchor: "import { disputes } from './disputes.ts';\n",
    text: "import { notes } from './notes.ts';\n",
  },
  { file: `${RESOURCES}/event-codes.ts`, anchor: '  disputes,\n', text: '  notes,\n' },
  {
    file: 'packages/contract/src/triggers/recipes.ts',
    anchor: 'export const recipes: Readonly<Record<EventCode, Recipe | Refusal>> = {\n',
    text: `  'consumer.notes.created': {
    makes: 'a note',
    run: (sandbox) => sandbox.create('notes', { title: 'Call back' }),
  },
  'consumer.notes.updated': {
    makes: 'a note with another title',
    run: async (sandbox) =>
      sandbox.update(await sandbox.create('notes', { title: 'Call back' }), { title: 'Called' }),
  },
`,
  },
  {
    file: 'packages/server/tests/scenarios/every-event.test.ts',
    anchor: 'const stories: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {\n',
    text: "  note: async (client) => set(await client.make('notes', { title: 'Call back' }), { title: 'Called' }),\n",
  },
];

/** A record of the type in the demo, in sandboxes that are emptied, and in the suites that go through all types. */
const exampleSteps: readonly Step[] = [
  {
    file: 'packages/server/src/features/demo/products.ts',
    anchor:
      'export const shopRecords: readonly { readonly type: string; readonly attributes: object }[] = [\n',
    text: "  { type: 'notes', attributes: { title: 'Call back' } },\n",
  },
  {
    file: 'packages/server/src/features/sandbox/sql/sandbox-rows.ts',
    anchor: 'const KINDS: readonly Kind[] = [\n',
    text: "  { table: 'notes' },\n",
  },
  {
    file: 'packages/server/src/features/sandbox/sql/sandbox-rows.ts',
    anchor: "['letters', 'customer_id']",
    text: ", ['notes', 'customer_id']",
  },
  {
    file: 'packages/server/tests/support/makers.ts',
    anchor: 'const makers: Readonly<Partial<Record<ResourceType, Maker>>> = {\n',
    text: "  notes: { makeDraft: () => ({ attributes: { title: 'Call back' } }), change: { title: 'Called' } },\n",
  },
  {
    file: 'packages/server/tests/support/makers.ts',
    anchor: '  await makePeriod(client);\n',
    text: "  await client.make('notes', { title: 'Call back' });\n",
  },
];

const testStep: Step = {
  file: 'packages/server/tests/resources/notes.test.ts',
  text: `import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCustomer } from '../support/make.ts';
import { describeReads, describeRefusals, describeRefusedMethods, patch } from '../support/resource-suite.ts';

const api = useApi();
const validAttributes = { title: 'Call back' };
const make = async (): Promise<ResourceObject> =>
  api.client.make('notes', { ...validAttributes, stars: 4 }, { customer: await makeCustomer(api.client) });
const listIds = async (query: string): Promise<string[]> =>
  (await api.client.get('/v2/notes?' + query)).body.data.map(({ id }: ResourceObject) => id);

describe('a note', () => {
  describeReads(api, 'notes', make);
  describeRefusedMethods(api, 'notes');
  describeRefusals(api, { type: 'notes', validAttributes, make }, [
    ['more stars than five', { stars: 6 }, 'too_large'],
  ]);

  it('has defaults, and emits an event for each change', async () => {
    const note = await make();
    expect(note.attributes).toMatchObject({ title: 'Call back', stars: 4, kind: 'memo' });
    expect((await patch(api, note, { title: 'Called' })).status).toBe(200);
    const { body } = await api.client.get('/v2/events?sort=created_at&filter[resource_id]=' + note.id);
    expect(body.data.map(({ attributes }: ResourceObject) => attributes.slug)).toEqual(['created', 'updated']);
  });

  it('is filtered, sorted and included', async () => {
    const note = await make();
    const { id } = note.relationships.customer!.data as ResourceObject;
    for (const query of ['', '&filter[stars_gte]=4&sort=-stars', '&filter[kind]=memo', '&filter[customer.name]=Ada'])
      expect(await listIds('filter[customer]=' + id + query)).toEqual([note.id]);
    const { body } = await api.client.get('/v2/notes/' + note.id + '?include=customer&fields[notes]=title,customer');
    expect(body.included?.map((record) => record.id)).toEqual([id]);
    expect(Object.keys(body.data.attributes)).toEqual(['title']);
  });

  it('is invisible to a key of the other mode', async () => {
    const note = await make();
    expect((await api.live.get('/v2/notes/' + note.id)).status).toBe(404);
  });
});
`,
};

/** Names in the languages of the dashboard but English, which falls back to the names of the interface. */
const NAMES = {
  type_notes: 'Notes',
  field_stars: 'Stars',
  value_memo: 'Memo',
  value_draft: 'Draft',
};

/** Meanings of the events, in every language. */
const EVENT_NAMES = {
  'consumer.notes.*': 'Notes: all events',
  'consumer.notes.created': 'Note created',
  'consumer.notes.updated': 'Note updated',
};

/** The summary of the type and the texts of its triggers, in the languages but English. */
const HELP = {
  summary_notes: 'A remark about a customer',
  'a note': 'a note',
  'a note with another title': 'a note with another title',
};

/** Adds the type `notes` to a copy of the repository, up to its first migration. */
export function followRecipe(checkoutPath: string): void {
  for (const step of [
    definitionStep,
    ...registrationSteps,
    ...eventSteps,
    ...exampleSteps,
    testStep,
  ])
    writeStep(checkoutPath, step);
  const catalogues = join(checkoutPath, 'packages/dashboard/src/i18n');
  for (const language of ['de', 'es', 'fr']) {
    addTexts(join(catalogues, language, 'names.json'), NAMES);
    addTexts(join(catalogues, language, 'help.json'), HELP);
  }
  for (const language of ['en', 'de', 'es', 'fr'])
    addTexts(join(catalogues, language, 'events.json'), EVENT_NAMES);
}

const addTexts = (path: string, texts: object): void =>
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...texts }));

function writeStep(checkoutPath: string, { file, anchor, text }: Step): void {
  const path = join(checkoutPath, file);
  writeFileSync(path, anchor === undefined ? text : insertText(readFileSync(path, 'utf8')));

  function insertText(oldText: string): string {
    const parts = oldText.split(anchor ?? '');
    if (parts.length !== 2) throw new Error(`${file} has no single place after ${anchor}`);
    return parts.join(`${anchor}${text}`);
  }
}
