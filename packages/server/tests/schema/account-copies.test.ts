import { randomUUID } from 'node:crypto';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { beforeAll, expect, it } from 'vitest';
import { copyAccount } from '../../src/features/people/accounts/account-copies.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { inBoth } from '../../src/platform/database/in-both.ts';

let [cell, global]: Database[] = [];
beforeAll(async () => {
  const cleanup = new AsyncDisposableStack();
  const open = async (): Promise<Database> => {
    const { url } = cleanup.use(await cloneDatabase());
    return cleanup.use(openDatabase({ url, connections_max: 2 }));
  };
  [cell, global] = [await open(), await open()];
  return () => cleanup.disposeAsync();
});

const both = () => ({ cell: cell as Database, global: global as Database });
const copy = (id: string) => copyAccount(both().cell, both().global, id);

async function insertAccount(email: string): Promise<string> {
  const id = randomUUID();
  await both().global.query(
    `insert into accounts (id, email, operator, password_hash, totp_secret, owner_id, created_at, updated_at)
     values ($1, $2, true, 'a hash', 'a secret', $1, now(), now())`,
    [id, email],
  );
  return id;
}

const setEmail = (id: string, email: string) =>
  both().global.query('update accounts set email = $2 where id = $1', [id, email]);

const copiesOf = async (...ids: string[]) =>
  both().cell.query(
    `select email, operator, password_hash, totp_secret, owner_id = id as owns_itself from accounts
     where id = any ($1::uuid[]) order by email`,
    [ids],
  );

it('the copy of an account has nothing with which its person signs in', async () => {
  const id = await insertAccount('ada@example.com');
  await copy(id);
  await copy(id);
  expect(await copiesOf(id)).toEqual([
    {
      email: 'ada@example.com',
      operator: 'f',
      password_hash: null,
      totp_secret: null,
      owns_itself: 't',
    },
  ]);
});

it('copies of two accounts that exchanged their addresses both follow', async () => {
  const ids = [await insertAccount('first@example.com'), await insertAccount('other@example.com')];
  for (const id of ids) await copy(id);
  const [first, other] = ids as [string, string];
  await setEmail(first, 'between@example.com');
  await setEmail(other, 'FIRST@example.com');
  await setEmail(first, 'other@example.com');
  await copy(first);
  expect((await copiesOf(first)).map(({ email }) => email)).toEqual(['other@example.com']);
  expect((await copiesOf(other)).map(({ email }) => email)).toEqual(['FIRST@example.com']);
});

it('a change of both databases that fails is in neither', async () => {
  const id = await insertAccount('both@example.com');
  const change = (fail: boolean) =>
    inBoth({ db: both().cell, global: both().global }, async (transactions) => {
      await transactions.global.query('update accounts set name = $2 where id = $1', [id, 'Both']);
      await copyAccount(transactions.cell, transactions.global, id);
      if (fail) throw new Error('the change failed');
    });
  const nameIn = async (db: Database) =>
    (await db.query('select name from accounts where id = $1', [id]))[0]?.name;
  await expect(change(true)).rejects.toThrow('the change failed');
  expect([await nameIn(both().global), await nameIn(both().cell)]).toEqual([null, undefined]);
  await change(false);
  expect([await nameIn(both().global), await nameIn(both().cell)]).toEqual(['Both', 'Both']);
});
