import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@florin/cli/database/client.ts';
import { takeSnapshot } from '@florin/dev-env/snapshot.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { reportRestore } from '@florin/server/features/restore/report.ts';
import {
  askProcess,
  type Learned,
  learnedOf,
  type RestoreAnswer,
} from '@florin/server/features/restore/requests.ts';
import { type Database, openDatabase } from '@florin/server/platform/database/db.ts';
import {
  deleteFact,
  factOf,
  replaceFact,
} from '@florin/server/platform/database/installation/installation-facts.ts';
import { type Clock, seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import { createSignal } from '@florin/server/platform/workers/signal.ts';
import { readNetworkLedger } from '../../faults/books.ts';
import { checkCharges, compareFollowUps } from '../../faults/checks/book-checks.ts';
import { createRandom, type Random } from '../../faults/random.ts';
import { readRecords } from '../../faults/records.ts';
import { findLedgerFaults } from '../support/compare.ts';
import { openShop, type Shop } from './shop.ts';

/** Result of one restore. */
export interface Round {
  readonly seed: number;
  /** Counts of the last run. A run that was interrupted before it may have recorded more. */
  readonly counts: Learned['counts'];
  /** Messages of the time after the restored moment that are recorded. */
  readonly recovered: number;
  /** Payments at the end. */
  readonly payments: number;
  /** Charges of subscriptions at the end. */
  readonly renewals: number;
  /** Differences between Florin and the network, a sentence each. */
  readonly differences: readonly string[];
}

const MONTH_S = 32 * 24 * 60 * 60;
const ANSWER_LIMIT_MS = 120_000;
const POLL_MS = 100;
/** Time at which a run may be interrupted: it has begun by then, and waits for late messages. */
const INTERRUPTED_AFTER_MS = 1_500;

/** A clock that runs at normal speed, and can be moved forward. */
interface RoundClock extends Clock {
  advance(duration_s: number): void;
}

function createRoundClock(): RoundClock {
  const system = systemClock();
  const moved = createSignal();
  let offset = 0;
  return {
    now: () => system.now() + offset,
    moved,
    advance(duration_s) {
      offset += seconds(duration_s);
      moved.raise();
    },
  };
}

/**
 * Takes payments, restores the database to a random moment, learns, opens, and lets a month pass. Then compares Florin with
 * the books of the network. Needs the PostgreSQL of a test run.
 */
export async function rehearseRestore(seed: number): Promise<Round> {
  const random = createRandom(seed);
  const clock = createRoundClock();
  const millis = (): number => Math.floor(clock.now() / 1_000);
  const now = (): Date => new Date(millis());
  await using stack = await startStack({ config: { clock }, vaultClock: millis, now });
  const shop = openShop(stack.baseUrl, stack.credentials.sandbox.secret_key, random);
  await trade(shop, clock, random);
  const snapshot = await crashWhileTrading(stack, shop, random, now);
  await trade(shop, clock, random);
  await stack.stop('server');
  await stack.stop('vault');
  await snapshot.restore();
  const { counts, faults } = await reopen(stack, random, snapshot.taken_at);
  await shop.drain();
  clock.advance(MONTH_S);
  await shop.drain();
  return { seed, counts, ...(await compare(stack, faults)) };
}

/** New subscriptions and actions; sometimes a month passes, and periods are renewed. */
async function trade(shop: Shop, clock: RoundClock, random: Random): Promise<void> {
  for (let count = random.upTo(2) + 1; count > 0; count--) await shop.subscribe();
  for (let count = random.upTo(8) + 4; count > 0; count--) await shop.act();
  if (random.chance(0.3)) return;
  await shop.drain();
  if (random.chance(0.7)) clock.advance(MONTH_S);
  await shop.drain();
}

async function crashWhileTrading(
  stack: Stack,
  shop: Shop,
  random: Random,
  now: () => Date,
): Promise<Awaited<ReturnType<typeof takeSnapshot>>> {
  const count = random.upTo(6) + 1;
  const pause_ms = random.upTo(400);
  const acting = (async () => {
    for (let done = 0; done < count; done++) await shop.act();
  })();
  await sleep(pause_ms);
  const snapshot = await takeSnapshot(stack.adminDatabaseUrl, now);
  await acting;
  await shop.drain();
  return snapshot;
}

/** Starts the closed installation, learns, sometimes after an interrupted run, and opens it. */
async function reopen(stack: Stack, random: Random, taken_at: Date) {
  const restored_to = taken_at.toISOString();
  await using db = openDatabase({ url: stack.serverDatabaseUrl, connections_max: 2 });
  await replaceFact(db, 'restored', restored_to);
  await stack.start('vault');
  await stack.start('server');
  if (random.chance(0.3)) {
    await askProcess(db, { id: randomUUID(), verb: 'learn', is_dry: false });
    await sleep(INTERRUPTED_AFTER_MS);
    await stack.restart('server');
  }
  await learn(db);
  const learned = await learnedOf(db, restored_to);
  if (!learned) throw new Error('the run that learns was not complete');
  const report = await reportRestore(db, restored_to);
  await deleteFact(db, 'restored');
  const faults = report.is_ok ? [] : report.lines.filter((line) => !line.startsWith('ok'));
  return { counts: learned.counts, faults: [...faults, ...learned.notes] };
}

async function learn(db: Database): Promise<void> {
  const id = randomUUID();
  await askProcess(db, { id, verb: 'learn', is_dry: false });
  const deadline = performance.now() + ANSWER_LIMIT_MS;
  for (;;) {
    const text = await factOf(db, 'restore_result');
    const answer = text === undefined ? undefined : (JSON.parse(text) as RestoreAnswer);
    if (answer?.id === id && answer.is_done) return;
    if (answer?.id === id) throw new Error(answer.lines.join(' '));
    if (performance.now() > deadline) throw new Error('the run that learns did not end');
    await sleep(POLL_MS);
  }
}

async function compare(stack: Stack, faults: readonly string[]) {
  await stack.stop('server');
  await stack.stop('simulator');
  const records = await withClient(stack.adminDatabaseUrl, readRecords);
  const outcome = { records, networkLedger: readNetworkLedger(stack.dataDir) };
  const renewals = records.payments.filter((row) => row.payment_subscription_id !== null);
  return {
    recovered: await withClient(stack.adminDatabaseUrl, countRecovered),
    payments: records.payments.length,
    renewals: renewals.length,
    differences: [
      ...faults,
      ...(await findLedgerFaults(stack.adminDatabaseUrl)),
      ...checkCharges(outcome),
      ...compareFollowUps(outcome),
      ...findRepeatedPeriods(records.periods),
    ],
  };
}

async function countRecovered(client: Parameters<typeof readRecords>[0]): Promise<number> {
  const { rows } = await client.query(
    'select count(*) as count from attempts where recovered_at is not null',
  );
  return Number(rows[0].count);
}

type Periods = Awaited<ReturnType<typeof readRecords>>['periods'];

/** Periods of a subscription that overlap: a part of the time would be paid twice. */
function findRepeatedPeriods(periods: Periods): string[] {
  const bySubscription = Map.groupBy(periods, (row) => row.payment_subscription_id);
  return [...bySubscription].flatMap(([id, rows]) => {
    const sorted = rows.toSorted(
      (a, b) => Date.parse(a.start_at ?? '') - Date.parse(b.start_at ?? ''),
    );
    return sorted.slice(1).flatMap((row, at) => {
      const end = Date.parse(sorted[at]?.end_at ?? '');
      return Date.parse(row.start_at ?? '') < end ? [`subscription ${id} paid a time twice`] : [];
    });
  });
}
