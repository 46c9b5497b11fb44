import { stateTables } from '@florin/contract/machines/all.ts';
import {
  type Machine,
  statesOf,
  transitionsOf,
  triggersFrom,
} from '@florin/contract/machines/define-machine.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from '../ids.ts';
import { instantText, seconds, systemClock } from '../time/clock.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { type Database, type Db, openDatabase } from './db.ts';
import type { Row } from './row.ts';
import { keyText } from './row-key.ts';
import { insertRows } from './rows.ts';
import { IllegalTransitionError, type LockStrength, lockRows, transition } from './transition.ts';

const clock = systemClock();
const cleanup = new AsyncDisposableStack();
let db: Database;
let otherDb: Database;
let catalog: Catalog;
beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 2 }));
  otherDb = cleanup.use(openDatabase({ url, connections_max: 1 }));
  catalog = await loadCatalog(db);
});
afterAll(() => cleanup.disposeAsync());

async function changeCustomerAt(
  key: { merchant_id: string; id: string },
  at: string,
): Promise<Row> {
  return db.transaction(async (tx) => {
    const before = (await lockRows(tx, 'customers', [key])).get(keyText(key)) as Row;
    const options = { table: 'customers', at };
    const [after] = await transition(tx, catalog, options, [{ before, set: { name: at } }]);
    return after as Row;
  });
}

describe('a locked row', () => {
  const insertWhileLocked = async (strength: LockStrength): Promise<string> => {
    const now = clock.now();
    const at = instantText(now);
    const owner = { merchant_id: uuidv7(now), mode: 'sandbox', created_at: at, updated_at: at };
    const customer = { ...owner, id: uuidv7(now), email: 'ada@example.com' };
    await insertRows(db, catalog, 'customers', [customer]);
    const address = { ...owner, id: uuidv7(now), line_1: '1', city: 'x', state: 'NY', zip: '1' };
    return db.transaction(async (tx) => {
      await lockRows(tx, 'customers', [customer], strength);
      return otherDb
        .transaction(async (otherTx) => {
          await otherTx.query(`set local lock_timeout = '50ms'`, []);
          const referencingRow = { ...address, country: 'USA', customer_id: customer.id };
          await insertRows(otherTx, catalog, 'consumer_addresses', [referencingRow]);
          return 'stored';
        })
        .catch(({ code }) => code);
    });
  };

  it('that is locked for a change lets others store rows that reference it', async () => {
    expect(await insertWhileLocked('change')).toBe('stored');
  });
  it('that is locked for its references makes them wait', async () => {
    expect(await insertWhileLocked('reference')).toBe('55P03');
  });
});

it('moves updated_at with every change, also if the clock stands still or was set back', async () => {
  const now = clock.now();
  const createdAt = instantText(now);
  const key = { merchant_id: uuidv7(now), id: uuidv7(now) };
  await insertRows(db, catalog, 'customers', [
    {
      ...key,
      mode: 'sandbox',
      email: 'ada@example.com',
      created_at: createdAt,
      updated_at: createdAt,
    },
  ]);
  const times: (string | null | undefined)[] = [];
  for (const at of [now, now, now - seconds(60), now + seconds(1)]) {
    times.push((await changeCustomerAt(key, instantText(at))).updated_at);
  }
  expect(times).toEqual([now + 1, now + 2, now + 3, now + seconds(1)].map(instantText));
});

describe.each(Object.entries(stateTables))(
  'a transition that the states of %s do not allow',
  (table, { machine }) => {
    it('is refused by the only writer of states', async () => {
      const takenTriggers: string[] = [];
      for (const [state, trigger] of refusedTriggers(machine)) {
        const change = { before: { ...bareKey(), status: state }, trigger, set: {} };
        const options = { table, at: instantText(clock.now()) };
        await transition(db, catalog, options, [change]).then(
          () => takenTriggers.push(`${trigger} in ${state}`),
          (error) => expect(error).toBeInstanceOf(IllegalTransitionError),
        );
      }
      expect(takenTriggers).toEqual([]);
    });

    it('is refused by the database, and no other is', async () => {
      const pairs = await db.transaction(async (tx) => {
        await tx.query('savepoint whole', []);
        await insertBare(tx, table);
        const possibleTransitions = await findPossibleChanges(tx, table, statesOf(machine));
        await tx.query('rollback to savepoint whole', []);
        return possibleTransitions;
      });
      const selfTransitions = statesOf(machine).map((state) => `${state} to ${state}`);
      const allowedTransitions = transitionsOf(machine).map(([from, to]) => `${from} to ${to}`);
      expect(pairs.toSorted()).toEqual(
        [...new Set([...selfTransitions, ...allowedTransitions])].toSorted(),
      );
    });
  },
);

/** Pairs of a state and a trigger that the state machine refuses. */
function refusedTriggers(machine: Machine): [string, string][] {
  const states = statesOf(machine);
  const triggers = new Set(states.flatMap((state) => triggersFrom(machine, state)));
  return states.flatMap((state) =>
    [...triggers]
      .filter((trigger) => !triggersFrom(machine, state).includes(trigger))
      .map((trigger): [string, string] => [state, trigger]),
  );
}

const bareKey = () => ({ merchant_id: uuidv7(clock.now()), id: uuidv7(clock.now()) });

/** Drops all constraints of a table except its primary key and triggers. */
async function insertBare(tx: Db, table: string): Promise<void> {
  const constraints = await tx.query(
    `select conname from pg_constraint where conrelid = $1::regclass and contype in ('c', 'f')`,
    [table],
  );
  const columns = await tx.query(
    `select column_name from information_schema.columns where table_name = $1 and is_nullable = 'NO'
       and column_name not in ('merchant_id', 'id')`,
    [table],
  );
  const drops = [
    ...constraints.map(({ conname }) => `drop constraint ${conname} cascade`),
    ...columns.map(({ column_name }) => `alter column ${column_name} drop not null`),
  ];
  for (const drop of drops) await tx.query(`alter table ${table} ${drop}`, []);
}

/** Changes of `status` that the database accepts from a writer that bypasses the program. */
async function findPossibleChanges(
  tx: Db,
  table: string,
  states: readonly string[],
): Promise<string[]> {
  const possibleTransitions: string[] = [];
  for (const from of states) {
    const { merchant_id, id } = bareKey();
    const row = [merchant_id, id, from];
    await tx.query(`insert into ${table} (merchant_id, id, status) values ($1, $2, $3)`, row);
    for (const to of states) {
      await tx.query('savepoint change', []);
      await tx.query(`update ${table} set status = $1 where id = $2`, [to, id]).then(
        () => possibleTransitions.push(`${from} to ${to}`),
        ({ message }: Error) => expect(message).toBe(`${table} cannot go from ${from} to ${to}`),
      );
      await tx.query('rollback to savepoint change', []);
    }
  }
  return possibleTransitions;
}
