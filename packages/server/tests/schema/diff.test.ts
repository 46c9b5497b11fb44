import {
  defineResource,
  type Resource,
  timestamps,
} from '@florin/contract/resources/define-resource.ts';
import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compileModels } from '../../src/jsonapi/model.ts';
import { expectedTables } from '../../src/jsonapi/schema/tables.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { readTables } from '../../src/platform/database/schema/actual.ts';
import { diffSchema } from '../../src/platform/database/schema/diff.ts';
import { migrationSql } from '../../src/platform/database/schema/migration-sql.ts';

const shops = defineResource({
  type: 'shops',
  summary: 'The tenant',
  owner: 'merchant',
  few: 1,
  group: 'user',
  operations: ['list', 'fetch'],
  fields: { name: { type: 'string' }, ...timestamps },
  relations: {},
});

const notes = defineResource({
  type: 'notes',
  summary: 'A plain type',
  owner: 'mode',
  group: 'developer',
  operations: ['list', 'fetch', 'create', 'update'],
  fields: {
    title: { type: 'string', create: 'required', update: true, max: 100 },
    body: { type: 'string', create: 'optional', update: true, max: 5000 },
    kind: { type: 'enum', values: ['memo', "isn't"], create: 'optional', default: 'memo' },
    stars: { type: 'integer', create: 'optional', max: 5 },
    bytes: { type: 'integer', create: 'optional' },
    pinned: { type: 'boolean', create: 'optional', default: false },
    due_on: { type: 'date', create: 'optional' },
    tags: { type: 'strings', create: 'optional', default: [] },
    secret: { type: 'string', sensitive: true, shown_once: true },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'shops' },
    parent: { to: 'notes', create: 'optional' },
    origin: { to: 'notes', create: 'required' },
  },
});

const CREATE_SQL = `create table shops (
  id uuid not null,
  name text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  primary key (id)
);

create table notes (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  title text not null,
  body text,
  kind text not null check (kind in ('memo', 'isn''t')),
  stars integer,
  bytes bigint,
  pinned boolean not null,
  due_on date,
  tags jsonb not null,
  parent_id uuid,
  origin_id uuid not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  primary key (merchant_id, id)
);

alter table notes add foreign key (merchant_id, parent_id) references notes (merchant_id, id);
alter table notes add foreign key (merchant_id, origin_id) references notes (merchant_id, id);
create index notes_newest on notes (merchant_id, mode, created_at desc, id desc);
create index notes_parent on notes (merchant_id, parent_id) where parent_id is not null;
create index notes_origin on notes (merchant_id, origin_id);
create index notes_title on notes (merchant_id, mode, title);
create index notes_body on notes (merchant_id, mode, "left"(body, 200)) where body is not null;
create index notes_kind on notes (merchant_id, mode, kind);
create index notes_stars on notes (merchant_id, mode, stars);
create index notes_bytes on notes (merchant_id, mode, bytes);
create index notes_pinned on notes (merchant_id, mode, pinned);
create index notes_due_on on notes (merchant_id, mode, due_on);
create index notes_updated_at on notes (merchant_id, mode, updated_at);
`;

/** A database that matches the definitions above. */
async function openMigratedDatabase(): Promise<Database> {
  const database = await emptyDatabase();
  const db = openDatabase({ url: database.url, connections_max: 3 });
  onTestFinished(async () => {
    await db[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });
  const { migration } = await findDifference(db, {});
  expect(migration).toBe(CREATE_SQL);
  await apply(db, migration);
  return db;
}

async function findDifference(db: Database, changes: Partial<Resource>, isAsSent = true) {
  const registry = { shops, notes: { ...notes, ...changes } };
  const expected = expectedTables(compileModels(registry));
  const difference = diffSchema(expected, await readTables(db), { isStoredAsSent: () => isAsSent });
  return { migration: migrationSql(difference.changes), notes: difference.notes };
}

/** Applies single statements, as some have comments above them. */
async function apply(db: Database, migration: string): Promise<void> {
  for (const statement of migration.split(';\n').filter((text) => text.trim())) {
    await db.query(statement, []);
  }
}

const { title, ...withoutTitle } = notes.fields;

describe('the difference between a database and the definitions', () => {
  it('of an empty database is every table, and empty once the migration is applied', async () => {
    expect(await findDifference(await openMigratedDatabase(), {})).toEqual({
      migration: '',
      notes: [],
    });
  });

  it.each<[title: string, changes: Partial<Resource>, migration: string]>([
    [
      'an attribute',
      { fields: { ...notes.fields, color: { type: 'string', create: 'optional', max: 20 } } },
      'alter table notes add column color text;\ncreate index notes_color on notes (merchant_id, mode, color);\n',
    ],
    [
      'an attribute that queries cannot name',
      { fields: { ...notes.fields, color: { type: 'string', opaque: true } } },
      'alter table notes add column color text;\n',
    ],
    [
      'an attribute with a default',
      { fields: { ...notes.fields, color: { type: 'string', default: 'red', opaque: true } } },
      "alter table notes add column color text not null default 'red';\n",
    ],
    [
      'an attribute that every record needs',
      { fields: { ...notes.fields, color: { type: 'string', create: 'required', opaque: true } } },
      'alter table notes add column color text;\n-- Rows that exist need a value before this.\nalter table notes alter column color set not null;\n',
    ],
    [
      'a value of an enum',
      { fields: { ...notes.fields, kind: { ...notes.fields.kind, values: ['memo', 'draft'] } } },
      "alter table notes\n  drop constraint notes_kind_check,\n  add constraint notes_kind_check check (kind in ('memo', 'isn''t', 'draft'));\n",
    ],
    [
      'a relation',
      { relations: { ...notes.relations, heir: { to: 'notes' } } },
      'alter table notes add column heir_id uuid;\nalter table notes add foreign key (merchant_id, heir_id) references notes (merchant_id, id);\ncreate index notes_heir on notes (merchant_id, heir_id) where heir_id is not null;\n',
    ],
  ])('a new %s is written once', async (_title, changes, migration) => {
    const db = await openMigratedDatabase();
    expect(await findDifference(db, changes)).toEqual({ migration, notes: [] });
    await apply(db, migration);
    expect(await findDifference(db, changes)).toEqual({ migration: '', notes: [] });
  });

  it.each<[title: string, changes: Partial<Resource>, note: string]>([
    [
      'another type',
      { fields: { ...notes.fields, stars: { type: 'date', create: 'optional' } } },
      'notes.stars is integer; the definition wants date',
    ],
    [
      'a number that may be larger than the column',
      { fields: { ...notes.fields, stars: { type: 'integer', create: 'optional' } } },
      'notes.stars is integer; the definition wants bigint',
    ],
    [
      'an attribute that is gone and was required',
      { fields: withoutTitle },
      'notes.title is not defined, and nothing fills it in though it may not be null',
    ],
    [
      'an attribute that is no longer required',
      { fields: { ...notes.fields, title: { ...title, create: 'optional' } } },
      'notes.title may not be null, and the definition lets a record be without it',
    ],
    [
      'a missing table of pairs',
      {
        relations: {
          ...notes.relations,
          links: { to: 'notes', many: true, through: { table: 'links', from: 'a_id', to: 'b_id' } },
        },
      },
      'notes has a relation through links, which is not there',
    ],
  ])('%s needs a decision by a person', async (_title, changes, note) => {
    expect(await findDifference(await openMigratedDatabase(), changes)).toEqual({
      migration: '',
      notes: [note],
    });
  });

  it('ignores tables of the server beside the definitions', async () => {
    const db = await openMigratedDatabase();
    await db.query('alter table notes add column due_at timestamptz', []);
    await db.query('create table attempts (id uuid primary key)', []);
    await db.query('create index notes_due on notes (due_at)', []);
    expect(await findDifference(db, {})).toEqual({ migration: '', notes: [] });
    await db.query('alter table notes add column token_hash bytea not null', []);
    expect((await findDifference(db, {}, false)).notes).toEqual([]);
  });

  it('reports the table of a removed type', async () => {
    const db = await openMigratedDatabase();
    await db.query('create table memos (merchant_id uuid, created_at timestamptz)', []);
    await db.query('create index memos_newest on memos (merchant_id, created_at)', []);
    expect((await findDifference(db, {})).notes).toEqual([
      'the table memos is that of a type, and no definition is left of it',
    ]);
  });
});
