import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { type CanaryCard, canaryCard } from './cards.ts';
import { searchMemory } from './memory.ts';
import type { Trail } from './paths.ts';
import { pgDump } from './pg-dump.ts';
import {
  dumpTables,
  filesIn,
  findVerificationValues,
  isNamedVerificationValueIn,
  type Seen,
  searchTexts,
  searchTree,
} from './places.ts';
import type { CanaryStand } from './stand.ts';
import { type Canary, createTracer, type Pattern, type Tracer } from './traces.ts';

/** Data that went through Florin and must not be stored or logged anywhere. */
export interface Quarry {
  /** Cards that were sent sealed. */
  readonly sealed: readonly (Canary & CanaryCard)[];
  /** Cards that were sent unsealed and refused. */
  readonly unsealed: readonly (Canary & CanaryCard)[];
  readonly trail: Trail;
  /** All texts that a browser sent, logged and stored. */
  readonly browsed: readonly string[];
}

/** Traces by place, as `<place>: <what> (<encoding>)`, sorted. */
export interface Found {
  /** Traces in all files of Florin and its database, after Florin has stopped. */
  readonly files: readonly string[];
  /** Traces in the rows of all tables. */
  readonly tables: readonly string[];
  /** Traces in a dump of the database. */
  readonly dump: readonly string[];
  /** Traces in logs, webhooks, responses, and the browser's data. */
  readonly said: readonly string[];
  /** Traces of sealed cards in the server's memory; undefined if the memory cannot be read. */
  readonly memory: readonly string[] | undefined;
  /** Places with verification values in texts. */
  readonly values: readonly string[];
  readonly seen: Seen;
  readonly dumped_by: string;
}

/** Planted data that every search must find. A search that misses it is broken. */
const planted = { name: 'the planted card', digits: canaryCard('visa', 1_000_000).number };
export const PLANTED_VALUE = '6999';
const unloggedText = {
  name: 'the unlogged text',
  bytes: Buffer.from('planted in an unlogged table'),
};
/** Two more sweeps, 30 seconds apart: a sweep skips a table that autovacuum has locked. */
const ORPHANS_LIMIT_MS = 75_000;
const POLL_MS = 200;

/** Searches files, tables, dump, texts and memory. Stops Florin to search its final state on disk. */
export async function searchEverywhere(stand: CanaryStand, quarry: Quarry): Promise<Found> {
  const { sealed, unsealed, trail } = quarry;
  const database = await stand.database();
  const seen: Seen = { files: 0, bytes: 0, texts: 0 };
  const tracer = createTracer(
    [...sealed, ...unsealed, planted],
    [...secretsOf(trail), unloggedText],
  );
  const cvvs = [...new Set([...sealed, ...unsealed].map(({ cvv }) => cvv))];
  await plant(database, stand.dataDir);
  await outlive(stand, database);
  const tables = await dumpTables(database);
  const dump = await pgDump(stand.dataDir);
  const memory = searchMemory(stand.pidOf('server'), withKey(stand, sealed));
  const output = stand.florin.output();
  await stand.stop();
  const said = new Map([
    ...(await logsOf(stand.dataDir)),
    ...textsOf(stand, quarry),
    ['output', output],
  ]);
  const named: Tracer = {
    find: (bytes) => [...tracer.find(bytes), ...isNamedVerificationValueIn(bytes, cvvs)],
  };
  return {
    files: await searchTree(stand.home, named, seen),
    tables: searchTexts(tables, named, seen),
    dump: searchTexts(dump.tables, named, seen),
    said: searchTexts(said, named, seen),
    memory,
    values: findVerificationValues([...said, ...tables], [...cvvs, PLANTED_VALUE]),
    seen,
    dumped_by: dump.by,
  };
}

/** Sealed parts as texts, and the vault's ciphertexts of verification values. */
const secretsOf = ({ sealed, stored }: Trail): Pattern[] => [
  ...sealed.map((jwe) => ({
    name: 'a sealed one',
    bytes: Buffer.from(jwe.split('.')[3] as string),
  })),
  ...stored.map((bytes) => ({ name: 'a stored one', bytes })),
];

const withKey = ({ florin }: CanaryStand, sealed: readonly Canary[]): Tracer =>
  createTracer(sealed, [
    { name: 'the secret key', bytes: Buffer.from(florin.credentials.sandbox.secret_key) },
  ]);

async function plant(database: Pool, dataDir: string): Promise<void> {
  await database.query('create table public.planted (text text)');
  // Inserted three times, because the end of a log page may split a number.
  const insert = 'insert into public.planted select $1 from generate_series(1, 3)';
  await database.query(insert, [planted.digits]);
  await database.query('create unlogged table public.planted_unlogged (bytes bytea)');
  await database.query('insert into public.planted_unlogged values ($1)', [unloggedText.bytes]);
  const line = { msg: `x${planted.digits}`, value: PLANTED_VALUE };
  await appendFile(join(dataDir, 'logs', 'planted.log'), `${JSON.stringify(line)}\n`);
}

/**
 * Expires all verification values and waits until the restarted vault has deleted them. The server is paused, because
 * deleted rows stay in the files while a transaction may see them.
 */
async function outlive(stand: CanaryStand, database: Pool): Promise<void> {
  // Autovacuum would do so on a busy day: statistics may hold values of the sampled rows.
  await database.query('analyze');
  await database.query(`update vault.cvvs set expires_at = now()`);
  await database.query(`update vault.cvv_epochs set destroy_at = now()`);
  using _paused = await stand.pauseServer();
  await stand.kill('vault');
  const deadline = performance.now() + ORPHANS_LIMIT_MS;
  for (;;) {
    const { rows } = await database.query<{ bytes: number }>(
      `select pg_relation_size('vault.cvvs')::int + pg_relation_size('vault.cvv_epochs')::int as bytes`,
    );
    if (rows[0]?.bytes === 0) return;
    if (performance.now() > deadline) throw new Error('expired CVV records were not removed');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function logsOf(dataDir: string): Promise<[string, string][]> {
  const folders = [join(dataDir, 'logs'), join(dataDir, 'postgres', 'log')];
  const files = (await Promise.all(folders.map(filesIn))).flat();
  return Promise.all(
    files.map(
      async (file): Promise<[string, string]> => [
        file.slice(dataDir.length + 1),
        await readFile(file, 'utf8'),
      ],
    ),
  );
}

const textsOf = ({ webhooks }: CanaryStand, { browsed, trail }: Quarry): [string, string][] =>
  Object.entries({ webhooks, browsed, answers: trail.answers }).map(([name, texts]) => [
    name,
    texts.join('\n'),
  ]);

/** Returns the oldest existing segment of the write-ahead log. */
export const firstLog = async (dataDir: string): Promise<string | undefined> =>
  (await readdir(join(dataDir, 'postgres', 'pg_wal')))
    .filter((name) => /^[\dA-F]{24}$/.test(name))
    .sort()[0];
