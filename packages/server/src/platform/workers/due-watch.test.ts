import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { expect, it } from 'vitest';
import { openDatabase } from '../database/db.ts';
import { createDueWatch, type DueRows } from './due-watch.ts';
import { startLoop } from './loop.ts';

const NOW = '2026-01-02T00:00:00Z';
const LATER = '2026-01-03T00:00:00Z';
/** Longer than the test: only the watch wakes the loops. */
const NEVER_MS = 60_000;

it('wakes the loops that have due rows, and no others', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1 });
  for (const table of ['parcels', 'invoices'])
    await db.query(`create table ${table} (kind text, due_at timestamptz)`, []);
  await db.query(`insert into parcels values ('small', $1), ('large', $2)`, [NOW, LATER]);
  const watch = createDueWatch(db);
  const woken: string[] = [];
  const listen = (name: string, rows: DueRows) => watch.listen(rows, () => void woken.push(name));
  listen('parcels', { table: 'parcels' });
  listen('large parcels', { table: 'parcels', condition: "t.kind = 'large'" });
  listen('invoices', { table: 'invoices' });
  const end = listen('parcels, too', { table: 'parcels' });

  await watch.check(NOW);
  expect(woken).toEqual(['parcels', 'parcels, too']);
  end();
  await watch.check(LATER);
  expect(woken.slice(2)).toEqual(['parcels', 'large parcels']);
});

it('a loop with due rows steps when the watch finds some, and stops listening when it ends', async () => {
  let listener = (): void => {};
  let isListening = false;
  const due_watch = {
    listen(_rows: DueRows, wake: () => void) {
      [listener, isListening] = [wake, true];
      return () => {
        isListening = false;
      };
    },
    check: async () => {},
  };
  let stepped = Promise.withResolvers<void>();
  let steps = 0;
  const loop = startLoop(
    { logger: { error: () => {} } as never, clock: {}, due_watch },
    {
      name: 'parcels',
      due: [{ table: 'parcels' }],
      poll_ms: NEVER_MS,
      async step() {
        steps += 1;
        stepped.resolve();
        return false;
      },
    },
  );
  await stepped.promise;
  stepped = Promise.withResolvers();
  listener();
  await stepped.promise;
  await loop[Symbol.asyncDispose]();
  expect({ steps, isListening }).toEqual({ steps: 2, isListening: false });
});
