import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { type Database, openDatabase } from '../../../platform/database/db.ts';

/** Tables of the test types, by the engine's conventions. */
const shopSchema = `
create table shops (id uuid primary key, name text,
  created_at timestamptz not null, updated_at timestamptz not null);
create table people (merchant_id uuid not null, mode text not null, id uuid not null, friend_id uuid,
  email text not null, name text, secret text,
  created_at timestamptz not null, updated_at timestamptz not null, primary key (merchant_id, id));
create table orders (merchant_id uuid not null, mode text not null, id uuid not null, buyer_id uuid,
  status text not null, amount integer not null, currency text, note text, paid boolean not null,
  due_at timestamptz, due_on date, "limit" integer, tags jsonb, items jsonb, extra jsonb,
  phone text, page text, country text, zone text, hidden text,
  created_at timestamptz not null, updated_at timestamptz not null, primary key (merchant_id, id));`;

/** Creates a separate database with the empty test tables. */
export const createShopDatabase = (): Promise<Database> => createDatabase(shopSchema);

/** Creates a separate database with the tables of a schema. */
export async function createDatabase(schema: string): Promise<Database> {
  const emptyDb = await emptyDatabase();
  const database = openDatabase({ url: emptyDb.url, connections_max: 4 });
  await database.query(schema, []);
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await emptyDb[Symbol.asyncDispose]();
    },
  };
}
