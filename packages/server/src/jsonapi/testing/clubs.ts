import { defineResource, timestamps } from '@florin/contract/resources/define-resource.ts';
import { compileModels } from '../model.ts';

/**
 * Test types with relationships across scopes: pairs, platform rows, and foreign keys to rows that fewer
 * callers see.
 */
const shops = defineResource({
  type: 'shops',
  summary: 'The tenant',
  owner: 'merchant',
  group: 'user',
  operations: ['list', 'fetch'],
  fields: { name: { type: 'string' }, ...timestamps },
  relations: {},
});

const people = defineResource({
  type: 'people',
  summary: 'A person, of live or sandbox',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch', 'create'],
  fields: {
    name: { type: 'string', create: 'optional', max: 20 },
    confirmed: { type: 'boolean', default: false },
    seen_at: { type: 'timestamp', absent_until: 'confirmed' },
    left_at: { type: 'timestamp', absent_until: 'confirmed' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'shops' },
    clubs: {
      to: 'clubs',
      many: true,
      through: { table: 'club_people', from: 'person_id', to: 'club_id' },
      create: 'optional',
    },
  },
});

const clubs = defineResource({
  type: 'clubs',
  summary: 'Known to everybody, with members of each shop',
  owner: 'platform',
  group: 'user',
  operations: ['list', 'fetch'],
  fields: { name: { type: 'string' }, ...timestamps },
  relations: {
    people: {
      to: 'people',
      many: true,
      through: { table: 'club_people', from: 'club_id', to: 'person_id' },
    },
  },
});

const staff = defineResource({
  type: 'staff',
  summary: 'Somebody who works for shops and is seen by them alone',
  owner: 'platform',
  seen_through: { relation: 'shifts', set: 'begun_at' },
  group: 'user',
  operations: ['list', 'fetch'],
  fields: { name: { type: 'string' }, ...timestamps },
  relations: {
    shifts: { to: 'shifts', many: true, inverse: 'worker' },
    person: { to: 'people' },
  },
});

const shifts = defineResource({
  type: 'shifts',
  summary: 'Work for a shop, in both modes',
  owner: 'merchant',
  group: 'user',
  operations: ['list', 'fetch'],
  fields: { begun_at: { type: 'timestamp' }, ...timestamps },
  relations: { merchant: { to: 'shops' }, worker: { to: 'staff' } },
});

/** Compiled models of the club test types. */
export const clubModels = compileModels({ shops, people, clubs, staff, shifts });

/** Tables of the club test types. */
export const clubSchema = `
create table shops (id uuid primary key, name text,
  created_at timestamptz not null, updated_at timestamptz not null);
create table people (merchant_id uuid not null, mode text not null, id uuid not null, name text, email text,
  confirmed boolean not null default false, seen_at timestamptz, left_at timestamptz,
  created_at timestamptz not null, updated_at timestamptz not null, primary key (merchant_id, id));
create table clubs (id uuid primary key, name text,
  created_at timestamptz not null, updated_at timestamptz not null);
create table club_people (merchant_id uuid not null, club_id uuid not null, person_id uuid not null);
create table staff (id uuid primary key, name text, person_id uuid,
  created_at timestamptz not null, updated_at timestamptz not null);
create table shifts (merchant_id uuid not null, id uuid not null, worker_id uuid, begun_at timestamptz,
  created_at timestamptz not null, updated_at timestamptz not null, primary key (merchant_id, id));`;
