import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { prepareDatabase } from '@florin/cli/database/prepare-database.ts';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { createKeks } from '@florin/vault/keys/keks.ts';
import { createFileKms } from '@florin/vault/keys/kms/file-kms.ts';
import { openRootKeys } from '@florin/vault/keys/root-keys.ts';
import { rewrapCards } from '@florin/vault/rotation/rewrap-cards.ts';
import { type Database, openDatabase } from '@florin/vault/store/db.ts';
import { migrate } from '@florin/vault/store/migrate.ts';
import { makeFolder, removeAtEnd } from './folders.ts';
import { untilInterrupted } from './interruption.ts';
import { cpuOf } from './processor-time.ts';
import { runCommand } from './run-command.ts';
import { storeCards } from './vault-cards.ts';

const MILLION = 1_000_000;
const MS_PER_SECOND = 1_000;
/** Any value works: rotations never decrypt it. */
const ANY_NUMBER = '0'.repeat(16);

/** Cards per second whose data keys a key rotation rewraps. */
export const measureRewrap = async (
  databaseUrl: string,
  dataDir: string,
  cards: number,
): Promise<number> => cards / (await rewrap(databaseUrl, dataDir, cards)).seconds;

/** Cost of a rotation: wall-clock time, and processor time of this process and of the database. */
interface RotationCost {
  readonly seconds: number;
  readonly cpu_seconds: number;
}

async function rewrap(databaseUrl: string, dataDir: string, cards: number): Promise<RotationCost> {
  await using db = await openDatabase(databaseUrl, () => {});
  const deps = await openVaultKeys(db, dataDir);
  const scope = { merchant_id: randomUUID(), mode: 'live' } as const;
  await storeCards(deps, scope, { count: cards, number: ANY_NUMBER });
  const { version } = await deps.keks.current(scope);
  await deps.keks.advance(scope, version);
  const cpuBefore = await cpuSeconds(db);
  const startedAt = performance.now();
  let rewrappedCount = 0;
  for (let isDone = false; !isDone; ) {
    const step = await rewrapCards(deps, scope);
    isDone = step.isDone;
    rewrappedCount += step.rewrappedCount;
  }
  const seconds = (performance.now() - startedAt) / MS_PER_SECOND;
  if (rewrappedCount !== cards)
    throw new Error(`${rewrappedCount} of ${cards} cards were rewrapped`);
  return { seconds, cpu_seconds: (await cpuSeconds(db)) - cpuBefore };
}

async function cpuSeconds(db: Database): Promise<number> {
  const backends = await db.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  const pids = [process.pid, ...backends.map(({ pid }) => pid)];
  return pids.reduce((total, pid) => total + cpuOf(pid), 0) / MS_PER_SECOND;
}

/** Opens the keys of a vault with its root key in `dataDir`, as the vault does. */
export async function openVaultKeys(db: Database, dataDir: string) {
  const base = { db, kms: createFileKms(dataDir), clock: Date.now };
  const rootKeys = await openRootKeys(base);
  return { ...base, rootKeys, keks: createKeks({ ...base, rootKeys }) };
}

/** `node bench/rewrap.ts [cards]`: by default a million cards, in a temporary PostgreSQL with durable commits. */
async function main(): Promise<void> {
  const cards = Number(process.argv[2] ?? MILLION);
  const dataDir = makeFolder('rewrap');
  await using postgres = await startPostgres({ dataDir });
  removeAtEnd(postgres.root);
  await prepareDatabase({ adminUrl: postgres.url, passwords: postgres.passwords }, 'florin');
  const url = postgres.url('florin', 'florin_vault');
  await using db = await openDatabase(url, () => {});
  await migrate(db);
  const work = rewrap(url, join(dataDir, 'vault'), cards);
  const { seconds, cpu_seconds } = await untilInterrupted(work);
  console.log(
    `${cards} cards rewrapped in ${seconds.toFixed(1)} s with ${cpu_seconds.toFixed(1)} s of processors:`,
    `${Math.round(cards / seconds)} a second, a million in ${((seconds * MILLION) / cards).toFixed(1)} s`,
  );
}

if (import.meta.main) await runCommand(main);
