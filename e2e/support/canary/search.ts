import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { AccountSecret } from './accounts.ts';
import { type CanaryCard, createCanaryCard } from './cards.ts';
import { searchMemory } from './memory.ts';
import type { Trail } from './paths.ts';
import { pgDump } from './pg-dump.ts';
import {
  dumpTables,
  filesIn,
  findNamedVerificationValue,
  findVerificationValues,
  type SearchCounts,
  searchTexts,
  searchTree,
} from './places.ts';
import type { CanaryTestbed } from './testbed.ts';
import { type Canary, createTracer, type Pattern, type Tracer } from './traces.ts';

/** Data that went through Florin and must not be stored or logged anywhere. */
export interface SearchTargets {
  /** Cards that were sent sealed. */
  readonly sealedCards: readonly (Canary & CanaryCard)[];
  /** Cards that were sent unsealed and refused. */
  readonly unsealedCards: readonly (Canary & CanaryCard)[];
  readonly trail: Trail;
  /** All texts that a browser sent, logged and stored. */
  readonly browserTexts: readonly string[];
  /** Secrets of accounts at processors. */
  readonly accountSecrets: readonly AccountSecret[];
}

/** Traces by place, as `<place>: <what> (<encoding>)`, sorted. */
export interface Findings {
  /** Traces in all files of Florin and its database, after Florin has stopped. */
  readonly files: readonly string[];
  /** Traces in the rows of all tables. */
  readonly tables: readonly string[];
  /** Traces in a dump of the database. */
  readonly dump: readonly string[];
  /** Traces in logs, webhooks, responses, and the browser's data. */
  readonly outputs: readonly string[];
  /** Traces of sealed cards in the server's memory; undefined if the memory cannot be read. */
  readonly memory: readonly string[] | undefined;
  /** Places with verification values in texts. */
  readonly verificationValues: readonly string[];
  readonly counts: SearchCounts;
  readonly dumped_by: string;
}

/** Planted data that every search must find. A search that misses it is broken. */
const PLANTED_CARD = {
  name: 'the planted card',
  digits: createCanaryCard('visa', 1_000_000).number,
};
export const PLANTED_VALUE = '6999';
const UNLOGGED_TEXT = {
  name: 'the unlogged text',
  bytes: Buffer.from('planted in an unlogged table'),
};
/** Two more sweeps, 30 seconds apart: a sweep skips a table that autovacuum has locked. */
const REMOVAL_LIMIT_MS = 75_000;
const POLL_MS = 200;

/** Searches files, tables, dump, texts and memory. Stops Florin to search its final state on disk. */
export async function searchEverywhere(
  testbed: CanaryTestbed,
  targets: SearchTargets,
): Promise<Findings> {
  const { sealedCards, unsealedCards, trail, accountSecrets } = targets;
  const database = await testbed.database();
  const counts: SearchCounts = { files: 0, bytes: 0, texts: 0 };
  const tracer = createTracer(
    [...sealedCards, ...unsealedCards, PLANTED_CARD],
    [...secretsOf(trail), ...accountSecrets, UNLOGGED_TEXT],
  );
  const cvvs = [...new Set([...sealedCards, ...unsealedCards].map(({ cvv }) => cvv))];
  await plantCanaries(database, testbed.dataDir);
  await expireVerificationValues(testbed, database);
  const tables = await dumpTables(database);
  const dump = await pgDump(testbed.dataDir);
  const memory = searchMemory(testbed.pidOf('server'), createMemoryTracer(testbed, targets));
  const output = testbed.florin.output();
  await testbed.stop();
  const outputs = new Map([
    ...(await logsOf(testbed.dataDir)),
    ...textsOf(testbed, targets),
    ['output', output],
  ]);
  const textTracer: Tracer = {
    find: (bytes) => [...tracer.find(bytes), ...findNamedVerificationValue(bytes, cvvs)],
  };
  return {
    files: await searchTree(testbed.home, textTracer, counts),
    tables: searchTexts(tables, textTracer, counts),
    dump: searchTexts(dump.tables, textTracer, counts),
    outputs: searchTexts(outputs, textTracer, counts),
    memory,
    verificationValues: findVerificationValues([...outputs, ...tables], [...cvvs, PLANTED_VALUE]),
    counts,
    dumped_by: dump.source,
  };
}

/** Sealed parts as texts, and the vault's ciphertexts of verification values. */
const secretsOf = ({ sealedParts, storedCiphertexts }: Trail): Pattern[] => [
  ...sealedParts.map((jwe) => ({
    name: 'a sealed one',
    bytes: Buffer.from(jwe.split('.')[3] as string),
  })),
  ...storedCiphertexts.map((bytes) => ({ name: 'a stored one', bytes })),
];

const createMemoryTracer = (
  { florin }: CanaryTestbed,
  { sealedCards, accountSecrets }: SearchTargets,
): Tracer =>
  createTracer(sealedCards, [
    ...accountSecrets.filter(({ isSentToServer }) => !isSentToServer),
    { name: 'the secret key', bytes: Buffer.from(florin.credentials.sandbox.secret_key) },
  ]);

async function plantCanaries(database: Pool, dataDir: string): Promise<void> {
  await database.query('create table public.planted (text text)');
  // Inserted three times, because the end of a log page may split a number.
  const insertSql = 'insert into public.planted select $1 from generate_series(1, 3)';
  await database.query(insertSql, [PLANTED_CARD.digits]);
  await database.query('create unlogged table public.planted_unlogged (bytes bytea)');
  await database.query('insert into public.planted_unlogged values ($1)', [UNLOGGED_TEXT.bytes]);
  const line = { msg: `x${PLANTED_CARD.digits}`, value: PLANTED_VALUE };
  await appendFile(join(dataDir, 'logs', 'planted.log'), `${JSON.stringify(line)}\n`);
}

/**
 * Expires all verification values and waits until the restarted vault has deleted them. The server is paused, because
 * deleted rows stay in the files while a transaction may see them.
 */
async function expireVerificationValues(testbed: CanaryTestbed, database: Pool): Promise<void> {
  // Autovacuum may do the same at any time. Statistics may then hold values of sampled rows.
  await database.query('analyze');
  await database.query(`update vault.cvvs set expires_at = now()`);
  await database.query(`update vault.cvv_epochs set destroy_at = now()`);
  using _paused = await testbed.pauseServer();
  await testbed.kill('vault');
  const deadline = performance.now() + REMOVAL_LIMIT_MS;
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

const textsOf = (
  { webhooks }: CanaryTestbed,
  { browserTexts, trail }: SearchTargets,
): [string, string][] =>
  Object.entries({ webhooks, browserTexts, responses: trail.responses }).map(([name, texts]) => [
    name,
    texts.join('\n'),
  ]);

/** Returns the oldest existing segment of the write-ahead log. */
export const readFirstSegment = async (dataDir: string): Promise<string | undefined> =>
  (await readdir(join(dataDir, 'postgres', 'pg_wal')))
    .filter((name) => /^[\dA-F]{24}$/.test(name))
    .sort()[0];
