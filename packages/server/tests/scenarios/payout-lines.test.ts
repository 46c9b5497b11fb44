import { type TransferKind, transferKinds } from '@florin/contract/ledger.ts';
import { PAYOUT_LINES_SHOWN, type PayoutAmounts } from '@florin/contract/payout-lines.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFirstLines } from '../../src/features/exports/payouts/first-lines.ts';
import { findPayoutRange } from '../../src/features/exports/payouts/sql.ts';
import { streamPayout } from '../../src/features/exports/payouts/stream.ts';
import { type Database, type Db, openDatabase } from '../../src/platform/database/db.ts';
import { useDatabase } from '../support/database.ts';
import { anyHistory, type History, openRandomLedger } from '../support/random-ledger.ts';

const RUNS = 25;
const wording = { timezone: 'Europe/Paris', language: 'en' } as const;
const readable = { customers: true, payment_methods: true };
const database = useDatabase();
let db: Database;
let ledger: Awaited<ReturnType<typeof openRandomLedger>>;

beforeAll(async () => {
  db = openDatabase({ url: database.url, connections_max: 3 });
  ledger = await openRandomLedger(db);
});
afterAll(() => db[Symbol.asyncDispose]());

/** Files of a merchant's payouts, oldest first: the cells of their lines, without the head. */
async function readFiles(merchant_id: string, transfers_max?: number) {
  const scope = { merchant_id, mode: 'sandbox' } as const;
  const payouts = await db.query(
    'select id, amount_cents, amount_currency from payouts where merchant_id = $1 order by created_at, id',
    [merchant_id],
  );
  return Promise.all(
    payouts.map(async ({ id, amount_cents, amount_currency }) => {
      const range = await rangeOf(merchant_id, id);
      let text = '';
      for await (const part of streamPayout(db, { scope, range, wording, readable }, transfers_max))
        text += part;
      const [, ...lines] = text.trim().split('\r\n');
      return { amount_cents, amount_currency, lines: lines.map((line) => line.split(',')) };
    }),
  );
}

async function rangeOf(merchant_id: string, id: unknown) {
  const range = await findPayoutRange(db, { merchant_id, mode: 'sandbox' }, id as string);
  if (!range) throw new Error('the payout has a range');
  return range;
}

/** First lines of a merchant's payouts, oldest first. */
async function readPages(merchant_id: string, limits?: Parameters<typeof readFirstLines>[2]) {
  const scope = { merchant_id, mode: 'sandbox' } as const;
  const payouts = await db.query(
    'select id from payouts where merchant_id = $1 order by created_at, id',
    [merchant_id],
  );
  return Promise.all(
    payouts.map(async ({ id }) =>
      readFirstLines(db, { scope, range: await rangeOf(merchant_id, id), readable }, limits),
    ),
  );
}

/** Writes transfers of 300 cents each. `days` is the distance of their time from now. */
const insertTransfers = (tx: Db, merchant_id: string, kind: TransferKind, count = 1, days = 0) =>
  tx.query(
    `insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account, amount_cents,
       amount_currency, source_id, created_at)
     select $1, 'sandbox', gen_random_uuid(), $2, $3, $4, 300, 'USD', gen_random_uuid(), now() + $5 * interval '1 day'
     from generate_series(1, $6::int)`,
    [merchant_id, kind, transferKinds[kind].debit, transferKinds[kind].credit, days, count],
  );

const DECIMALS: Readonly<Record<string, number>> = { USD: 2, JPY: 0 };
const centsOf = (text: string | undefined, currency: string): number =>
  Math.round(Number(text) * 10 ** (DECIMALS[currency] ?? 0));

describe('the file of a payout', () => {
  it('has lines that sum to the payout exactly, in slices of any size', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.integer({ min: 1, max: 50 }), async (history, slice) => {
        const merchant_id = await ledger.write(history);
        await ledger.makePayout();
        const pages = await readPages(merchant_id);
        for (const [index, file] of (await readFiles(merchant_id, slice)).entries()) {
          const { amount_cents, amount_currency, lines } = file;
          expect(pages[index]?.all?.count).toBe(lines.length - 1);
          expect(pages[index]?.lines).toHaveLength(Math.min(lines.length - 1, PAYOUT_LINES_SHOWN));
          const currency = amount_currency as string;
          const [total, ...others] = lines.toReversed();
          const netOf = (line: readonly string[] | undefined) => centsOf(line?.[8], currency);
          expect(total?.[1]).toBe('Total of the payout');
          expect(others.map((line) => line[1])).not.toContain('Not assigned to a line');
          expect(netOf(total)).toBe(Number(amount_cents));
          expect(others.reduce((sum, line) => sum + netOf(line), 0)).toBe(Number(amount_cents));
          for (const line of lines)
            expect(centsOf(line[6], currency) - centsOf(line[7], currency)).toBe(netOf(line));
        }
      }),
      { numRuns: RUNS },
    );
  });

  const paidHistory: History = {
    stories: [
      { kinds: ['captured', 'fee', 'settled'], amount_cents: 10_000, currency: 'USD' },
      { kinds: ['captured', 'fee', 'settled'], amount_cents: 2000, currency: 'USD' },
      { kinds: ['refund_reserved'], amount_cents: 700, currency: 'USD' },
    ],
    // All of the first payment, the fee of the second one, and the refund.
    turns: [3, 6, 9, 4, 7, 5],
  };

  it('joins a settled payment with its fee, and shows a fee that is charged before alone', async () => {
    const merchant_id = await ledger.write(paidHistory);
    await ledger.makePayout();
    const [file] = await readFiles(merchant_id);
    expect(file?.lines.map(([, type, , , , , gross, fee, net]) => [type, gross, fee, net])).toEqual(
      [
        ['Payment', '100.00', '5.00', '95.00'],
        ['Fee', '0.00', '1.00', '-1.00'],
        ['Refund', '-7.00', '0.00', '-7.00'],
        ['Total of the payout', '93.00', '6.00', '87.00'],
      ],
    );
  });

  it('has first lines for a page, with a sum only where few slices hold all of them', async () => {
    const merchant_id = await ledger.write(paidHistory);
    await ledger.makePayout();
    const [whole] = await readPages(merchant_id);
    if (!whole) throw new Error('the merchant has a payout');
    const amounts = (line: PayoutAmounts) => [line.gross_cents, line.fee_cents, line.net_cents];
    expect(whole.lines.map(({ kind }) => kind)).toEqual(['settled', 'fee', 'refund_reserved']);
    expect([whole.all?.count, whole.all && amounts(whole.all.sum), whole.unassigned_cents]).toEqual(
      [3, ['9300', '600', '8700'], null],
    );
    expect(await readPages(merchant_id, { transfers_max: 1, searched_max: 100 })).toEqual([
      { lines: whole.lines, all: null, unassigned_cents: null },
    ]);
  });

  it('has first lines although other merchants moved money before them', async () => {
    const merchant_id = await ledger.write(paidHistory);
    await ledger.makePayout();
    for (let other = 0; other < 6; other++) await ledger.write(paidHistory);
    await insertTransfers(db, merchant_id, 'dispute_won');
    await ledger.waitForBalances();
    await ledger.makePayout();
    const [, page] = await readPages(merchant_id, { transfers_max: 1, searched_max: 100 });
    expect([page?.all, page?.lines.map(({ net_cents }) => net_cents)]).toEqual([null, ['300']]);
  });

  it('has first lines from after the settled day if too many transfers of that day are none', async () => {
    const merchant_id = await ledger.write({ stories: [], turns: [] });
    await insertTransfers(db, merchant_id, 'dispute_opened');
    await insertTransfers(db, merchant_id, 'captured', 20);
    await insertTransfers(db, merchant_id, 'settled', 20, 3);
    await ledger.waitForBalances();
    await ledger.makePayout();
    // Tomorrow: the search begins an hour before the end of the day, which is now after 23:00.
    await db.query('update payouts set settled_on = now()::date + 1 where merchant_id = $1', [
      merchant_id,
    ]);
    const [page] = await readPages(merchant_id, { transfers_max: 10_000, searched_max: 10 });
    expect([page?.all?.count, page?.lines.map(({ kind }) => kind)]).toEqual([
      21,
      ['dispute_opened', ...Array.from({ length: 10 }, () => 'settled')],
    ]);
  });

  it('leaves a transfer that was committed after the payout to the next one', async () => {
    const late = { stories: paidHistory.stories.slice(0, 1), turns: [2, 2, 2] };
    const settled = openDatabase({ url: database.url, connections_max: 1 });
    await settled.transaction(async (tx) => {
      await tx.query('select pg_current_xact_id()', []);
      const merchant_id = await ledger.write(late, false);
      await ledger.makePayout();
      await insertTransfers(tx, merchant_id, 'dispute_won');
      return merchant_id;
    });
    const [{ merchant_id } = {}] = await db.query(
      "select merchant_id from ledger_transfers where kind = 'dispute_won' and amount_cents = 300 order by created_at desc limit 1",
      [],
    );
    await ledger.makePayout();
    const files = await readFiles(merchant_id as string);
    expect(files.map(({ lines }) => lines.map(([, type, , , , , , , net]) => [type, net]))).toEqual(
      [
        [
          ['Payment', '95.00'],
          ['Total of the payout', '95.00'],
        ],
        [
          ['Dispute won', '3.00'],
          ['Total of the payout', '3.00'],
        ],
      ],
    );
    await settled[Symbol.asyncDispose]();
  });

  it('begins at the first stamp of the merchant, unless the merchant has too many transfers', async () => {
    const earlier_id = await ledger.write(paidHistory);
    const merchant_id = await ledger.write(paidHistory);
    await ledger.makePayout();
    const [payout] = await db.query('select id from payouts where merchant_id = $1', [merchant_id]);
    const stampsOf = async (merchant: string) =>
      (
        await db.query(
          'select posted_in from ledger_transfers where merchant_id = $1 order by posted_in',
          [merchant],
        )
      ).map(({ posted_in }) => posted_in);
    const stamps = await stampsOf(merchant_id);
    const scope = { merchant_id, mode: 'sandbox' } as const;
    const fromOf = async (own_transfers_max?: number) =>
      (await findPayoutRange(db, scope, payout?.id as string, own_transfers_max))?.from;
    expect(await fromOf()).toBe(stamps[0]);
    expect(Number(stamps[0])).toBeGreaterThan(Number((await stampsOf(earlier_id))[0]));
    expect([await fromOf(stamps.length), await fromOf(stamps.length - 1)]).toEqual([
      stamps[0],
      '0',
    ]);
  });

  it('of an earlier version has a line for what no transfer explains', async () => {
    const merchant_id = await ledger.write(paidHistory);
    await ledger.makePayout();
    await db.query(
      'update payouts set paid_below = null, paid_without = null, amount_cents = amount_cents + 11 where merchant_id = $1',
      [merchant_id],
    );
    const [file] = await readFiles(merchant_id);
    expect(file?.lines.slice(-2).map(([, type, , , , , , , net]) => [type, net])).toEqual([
      ['Not assigned to a line', '0.11'],
      ['Total of the payout', '87.11'],
    ]);
  });
});
