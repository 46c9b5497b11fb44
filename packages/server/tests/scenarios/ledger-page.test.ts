import { ledgerAccounts } from '@florin/contract/ledger.ts';
import type { LedgerLine } from '@florin/contract/ledger-page.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ledgerPageOf } from '../../src/features/ledger/decide-lines.ts';
import { findHourDifferences } from '../../src/features/ledger/sql/hour-check.ts';
import { addedTo } from '../../src/features/ledger/sql/ledger-hours.ts';
import { readLedgerLines } from '../../src/features/ledger/sql/ledger-page.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { useDatabase } from '../support/database.ts';
import { anyHistory, openRandomLedger } from '../support/random-ledger.ts';

const RUNS = 25;
const database = useDatabase();
let db: Database;
let ledger: Awaited<ReturnType<typeof openRandomLedger>>;

beforeAll(async () => {
  db = openDatabase({ url: database.url, connections_max: 2 });
  ledger = await openRandomLedger(db);
});
afterAll(() => db[Symbol.asyncDispose]());

/** All lines of an account, read page by page. */
async function readLines(
  merchant_id: string,
  part: { readonly account: (typeof ledgerAccounts)[number]; readonly currency: string },
  limits: { readonly lines_max: number; readonly read_max: number },
): Promise<LedgerLine[]> {
  const lines: LedgerLine[] = [];
  let start: { at: string; id: string } | undefined;
  for (;;) {
    const scope = { merchant_id, mode: 'sandbox' } as const;
    const rows = await readLedgerLines(db, scope, { ...part, start }, limits);
    const page = ledgerPageOf(rows, limits.lines_max);
    lines.push(...page.lines);
    if (!page.next) return lines;
    const [at = '', id = ''] = page.next.split('_');
    start = { at, id };
  }
}

/** The balance after every transfer of an account, newest first, as a sum over the whole ledger. */
const sumLines = (
  merchant_id: string,
  account: (typeof ledgerAccounts)[number],
  currency: string,
) =>
  db.query(
    `select id, cents as amount_cents, sum(cents) over (order by created_at, id) as balance_cents
     from (select *, ${addedTo(account)} as cents from ledger_transfers
       where merchant_id = $1 and amount_currency = $2 and $3::text in (debit_account, credit_account)) t
     order by created_at desc, id desc`,
    [merchant_id, currency, account],
  );

const anyLimits = fc.record({
  lines_max: fc.integer({ min: 1, max: 4 }),
  read_max: fc.integer({ min: 1, max: 6 }),
});

it('every line has the balance after it, on whatever pages, also before the worker has come', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, anyLimits, fc.boolean(), async (history, limits, isWaiting) => {
      const merchant_id = await ledger.write(history, isWaiting);
      for (const account of ledgerAccounts)
        for (const currency of ['USD', 'JPY']) {
          const lines = await readLines(merchant_id, { account, currency }, limits);
          expect(
            lines.map(({ id, amount_cents, balance_cents }) => ({
              id,
              amount_cents,
              balance_cents,
            })),
          ).toEqual(await sumLines(merchant_id, account, currency));
        }
    }),
    { numRuns: RUNS },
  );
  await ledger.waitForBalances();
  expect(await findHourDifferences(db)).toEqual([]);
});

it('the newest line of an account has the figure of the balance', async () => {
  const merchant_id = await ledger.write({
    stories: [
      { kinds: ['captured', 'fee'], amount_cents: 2500, currency: 'USD' },
      { kinds: ['refund_reserved'], amount_cents: 700, currency: 'USD' },
    ],
    turns: [2, 2, 3],
  });
  const [balance] = await db.query('select * from balances where merchant_id = $1', [merchant_id]);
  const limits = { lines_max: 1, read_max: 10 };
  const figureOf = async (account: (typeof ledgerAccounts)[number]) =>
    (await readLines(merchant_id, { account, currency: 'USD' }, limits))[0]?.balance_cents;
  expect({
    owed: await figureOf('merchant'),
    reserved: await figureOf('refunds'),
    fees: await figureOf('fees'),
  }).toEqual({ owed: '1675', reserved: '700', fees: '125' });
  expect(balance).toMatchObject({ owed_cents: '1675', reserved_cents: '700', fees_cents: '125' });
});
