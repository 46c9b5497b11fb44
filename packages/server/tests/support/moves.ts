import { randomUUID } from 'node:crypto';
import type { Stack } from '@florin/dev-env/stack.ts';
import type { Overrides } from '../../src/app.ts';
import type { Config } from '../../src/config/config.ts';
import { type MoveDeps, type MoveInput, moveMerchant } from '../../src/features/cell-moves/move.ts';
import { verifyLedger } from '../../src/features/settlement/verify-ledger.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { tenantTables } from '../../src/platform/database/installation/placement.ts';
import { openCopySession } from '../../src/platform/database/wire/copy.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import type { Api } from './api.ts';
import { openOne } from './cells.ts';
import { type AwayCell, type RouterPlaces, startBehindRouter } from './cells-behind-router.ts';
import { type Client, documentOf } from './client.ts';
import { sealerOf } from './instance-secrets.ts';
import { eventually, purchase } from './make.ts';

type MoveApi = Pick<Api<Stack>, 'stack' | 'fixtures'>;

/** Moves a merchant in this process. Returns what the command prints. */
export async function runMove(
  { stack, fixtures }: MoveApi,
  input: Pick<MoveInput, 'merchant_id' | 'cell'> & Partial<MoveInput>,
  deps: Partial<MoveDeps> = {},
): Promise<string[]> {
  const lines: string[] = [];
  await moveMerchant(
    {
      global: fixtures.global,
      sealer: await sealerOf(stack.dataDir),
      clock: systemClock(),
      connect: openCopySession,
      print: (line) => void lines.push(line),
      user: 'tests',
      ...deps,
    },
    { accounts: {}, dry_run: false, ...input },
  );
  return lines;
}

/** Starts two cells behind a router, and waits until each knows its vault and has live work loops. */
export async function startTwoCells(
  api: MoveApi,
  places: RouterPlaces,
  cleanup: AsyncDisposableStack,
  awayConfig: Partial<Config> = {},
  overrides: Overrides = {},
): Promise<AwayCell> {
  const away = await startBehindRouter(api, places, cleanup, awayConfig, overrides);
  for (const url of [api.stack.databaseUrl, away.address]) {
    await using db = openOne(url);
    await eventually(
      () => db.query(`select 1 from installation_facts where name = 'vault'`, []),
      ({ length }) => length === 1,
    );
  }
  return away;
}

export const cellOf = async ({ fixtures }: MoveApi, merchant_id: string) => {
  const [row] = await fixtures.global.query(
    `select c.name from directory_merchants m join cells c on c.id = m.cell_id where merchant_id = $1`,
    [merchant_id],
  );
  return row?.name;
};

/** Differences that `ledger verify` finds in a cell. */
export async function ledgerDifferences(url: string) {
  await using db = openOne(url);
  return (await verifyLedger(db)).flatMap(({ differences }) => differences);
}

/** Number of a merchant's rows in each table of a cell that has any. */
export async function rowCounts(
  url: string,
  merchant_id: string,
): Promise<Readonly<Record<string, number>>> {
  await using db = openOne(url);
  const counts: Record<string, number> = {};
  for (const table of tenantTables) {
    const owner = table === 'merchants' ? 'id' : 'merchant_id';
    const [row] = await db.query(`select count(*) as count from ${table} where ${owner} = $1`, [
      merchant_id,
    ]);
    if (row?.count !== '0') counts[table] = Number(row?.count);
  }
  return counts;
}

/** Answers to clients that create payments while their merchant moves. */
export interface Load {
  readonly references: readonly string[];
  readonly refusals: number;
  readonly longest_ms: number;
}

const RETRY_MS = 50;

/** Creates payments one after another with several clients. A refused one is repeated with its key until it is stored. */
export async function loadWhile(
  client: Client,
  work: () => Promise<unknown>,
  clients = 4,
): Promise<Load> {
  const references: string[] = [];
  let [refusals, longest_ms, isOver] = [0, 0, false];
  const run = async (): Promise<void> => {
    while (!isOver) {
      const reference = randomUUID();
      const began = performance.now();
      refusals += await createUntilStored(client, reference);
      longest_ms = Math.max(longest_ms, performance.now() - began);
      references.push(reference);
    }
  };
  const running = Array.from({ length: clients }, run);
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(running);
  }
  return { references, refusals, longest_ms: Math.round(longest_ms) };
}

async function createUntilStored(client: Client, purchase_reference: string): Promise<number> {
  const body = documentOf('payment_demands', { ...purchase, purchase_reference });
  for (let refusals = 0; ; refusals++) {
    const {
      status,
      headers,
      body: answer,
    } = await client.send('POST', '/v2/payment_demands', body, {
      'idempotency-key': purchase_reference,
    });
    if (status === 201 || status === 200) return refusals;
    if (status !== 503 || headers.get('retry-after') === null)
      throw new Error(`refused with ${status}: ${JSON.stringify(answer.errors)}`);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Parts of a command that stands still before each statement that matches, until it is resumed. */
export function pausingDeps(
  { fixtures }: MoveApi,
  statement: RegExp,
): Pick<MoveDeps, 'connect' | 'global'> & {
  /** Resolves when the command stands still. */
  readonly paused: Promise<void>;
  readonly resume: () => void;
} {
  const paused = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  const pausing = (db: Db): Db => ({
    async query(text, ...rest) {
      if (statement.test(text)) {
        paused.resolve();
        await resumed.promise;
      }
      return db.query(text, ...rest);
    },
  });
  return {
    paused: paused.promise,
    resume: resumed.resolve,
    global: pausing(fixtures.global),
    async connect(address) {
      const session = await openCopySession(address);
      return { ...session, ...pausing(session) };
    },
  };
}

/** Lets the lease of a command that died or stands still end now. */
export const endLeases = ({ fixtures }: MoveApi) =>
  fixtures.global.query('update directory_moves set leased_until = statement_timestamp()', []);

/** Number of tables of a cell that have the trigger of moves. */
export async function countTriggers(url: string): Promise<number> {
  await using db = openOne(url);
  return (await db.query(`select 1 from pg_trigger where tgname = 'a_stopped_merchant'`, []))
    .length;
}

class Crash extends Error {}

/** Parts of a command that dies after `statements` statements: its connections break, and nothing more is done. */
export function crashingDeps(
  { fixtures }: MoveApi,
  statements: number,
): Pick<MoveDeps, 'global' | 'connect'> & {
  readonly count: () => number;
  readonly die: () => void;
} {
  const clients: { destroy(): void }[] = [];
  let [count, isDead] = [0, false];
  const die = (): void => {
    isDead = true;
    for (const client of clients) client.destroy();
  };
  const step = (): void => {
    if (++count === statements) die();
    if (isDead) throw new Crash('the process died');
  };
  const { global } = fixtures;
  return {
    count: () => count,
    die,
    global: {
      async query(...statement) {
        step();
        return global.query(...statement);
      },
    },
    async connect(address) {
      const session = await openCopySession(address);
      const { stream } = (session.client as unknown as { connection: { stream: Destroyable } })
        .connection;
      clients.push(stream);
      return {
        ...session,
        async query(...statement) {
          step();
          return session.query(...statement);
        },
      };
    },
  };
}

interface Destroyable {
  destroy(): void;
}
