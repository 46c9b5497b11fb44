import type { TransferKind } from '@florin/contract/ledger.ts';
import fc from 'fast-check';
import { appendTransfers } from '../../src/features/ledger/sql/ledger.ts';
import { transferOf } from '../../src/features/ledger/transfers.ts';
import { addNextSlice } from '../../src/features/ledger/workers/balance.ts';
import { payOut } from '../../src/features/settlement/pay-out.ts';
import { type Catalog, loadCatalog } from '../../src/platform/database/catalog.ts';
import type { Database } from '../../src/platform/database/db.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { instantText, type Micros, systemClock } from '../../src/platform/time/clock.ts';
import type { Services } from '../../src/services.ts';
import { eventually } from './make.ts';

/** Transfers of one payment, refund or dispute, in order. */
const lives: readonly (readonly TransferKind[])[] = [
  ['captured', 'fee', 'settled'],
  ['captured', 'fee', 'settled'],
  ['captured', 'settled'],
  ['captured', 'fee'],
  ['refund_reserved', 'refunded', 'settled_back'],
  ['refund_reserved', 'refund_released'],
  ['refund_reserved'],
  ['dispute_opened'],
  ['dispute_opened', 'dispute_won'],
  ['dispute_opened', 'dispute_lost', 'settled_back'],
  ['dispute_opened', 'dispute_won', 'second_chargeback'],
];

interface Story {
  readonly kinds: readonly TransferKind[];
  readonly amount_cents: number;
  readonly currency: string;
}

/** A history of one merchant. Each turn continues a story, pays out, or adds transfers to the balances. */
export interface History {
  readonly stories: readonly Story[];
  readonly turns: readonly number[];
}

const PAYOUT_TURN = 0;
const WORKER_TURN = 1;

export const anyHistory: fc.Arbitrary<History> = fc.record({
  stories: fc.array(
    fc.record({
      kinds: fc.constantFrom(...lives),
      amount_cents: fc.integer({ min: 1, max: 100_000 }),
      currency: fc.constantFrom('USD', 'USD', 'JPY'),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  turns: fc.array(fc.nat({ max: 11 }), { maxLength: 40 }),
});

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2020, 0, 1);
const HOUR_MICROS = 3_600_000_000;

/** Writes histories into the ledger of a database, each for a merchant of its own. */
export async function openRandomLedger(db: Database) {
  const catalog: Catalog = await loadCatalog(db);
  const clock = systemClock();
  const logger = createLogger('silent');
  let payouts = 0;
  const bringForward = async (): Promise<void> => {
    while (await addNextSlice({ db, clock, logger }));
  };
  const makePayout = (): Promise<boolean> => {
    payouts += 1;
    const day = new Date(FIRST_DAY_MS + payouts * DAY_MS).toISOString().slice(0, 10);
    const progress = {
      processor: 'sandbox',
      mode: 'sandbox',
      day,
      paid_on: null,
      paid_through: null,
    };
    return db.transaction((tx) => payOut({ catalog } as Services, tx, progress, clock.now()));
  };
  const makeMerchant = async (): Promise<string> => {
    const id = uuidv7(clock.now());
    await db.query('insert into merchants (id, created_at, updated_at) values ($1, $2, $2)', [
      id,
      instantText(clock.now()),
    ]);
    return id;
  };
  /** Returns the merchant of the history. Waits until the balances include all transfers, unless told otherwise. */
  const write = async ({ stories, turns }: History, isWaiting = true): Promise<string> => {
    const merchant_id = await makeMerchant();
    const left = stories.map((story) => ({ ...story, id: uuidv7(clock.now()), told: 0 }));
    let now: Micros = clock.now();
    for (const turn of turns) {
      if (turn === PAYOUT_TURN) await makePayout();
      else if (turn === WORKER_TURN) await bringForward();
      else {
        const story = left[turn % left.length];
        const kind = story?.kinds[story.told];
        if (!story || !kind) continue;
        story.told += 1;
        now += (turn % 3) * HOUR_MICROS;
        const source = {
          merchant_id,
          mode: 'sandbox',
          id: story.id,
          amount_currency: story.currency,
        };
        const cents = kind === 'fee' ? Math.ceil(story.amount_cents / 20) : story.amount_cents;
        await appendTransfers(db, catalog, [transferOf(kind, source, String(cents), null, now)]);
      }
    }
    if (isWaiting) await waitForBalances();
    return merchant_id;
  };
  // The horizon is that of the whole cluster: transactions of other tests may hold it back.
  const waitForBalances = (): Promise<unknown> =>
    eventually(
      async () => {
        await bringForward();
        return db.query(
          'select from ledger_transfers where posted_in >= (select posted_before from balance_horizon) limit 1',
          [],
        );
      },
      (rows) => rows.length === 0,
    );
  return { write, makePayout, waitForBalances };
}
