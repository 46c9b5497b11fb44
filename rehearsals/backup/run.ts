import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE } from '@florin/cli/commands/services.ts';
import { withClient } from '@florin/cli/database/client.ts';
import { databaseAccount } from '@florin/cli/postgres/account.ts';
import { chooseLocation } from '@florin/cli/postgres/database-location.ts';
import { livePostmaster } from '@florin/cli/postgres/postmaster.ts';
import { usePostgres } from '@florin/cli/postgres/use-postgres.ts';
import { type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { readNetworkLedger } from '../../faults/books.ts';
import { checkCharges, compareFollowUps } from '../../faults/checks/book-checks.ts';
import { createRandom } from '../../faults/random.ts';
import { readRecords } from '../../faults/records.ts';
import { openShop, type Shop } from '../restore/shop.ts';
import { runFlorin } from '../support/command.ts';
import { findLedgerFaults } from '../support/compare.ts';

/** A running Florin hands its log to the backup once a minute. */
const LOG_LIMIT_MS = 90_000;
const LOG_POLL_MS = 3_000;
const END_LIMIT_MS = 15_000;
const POLL_MS = 50;
const ENV = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG_LEVEL: 'error' };

export interface RunOptions {
  /** Empty directory with a short path. */
  readonly directory: string;
  readonly seed: number;
  /** Actions of the shop in each of three parts: before the backup, in its log, after its log. */
  readonly actions: number;
  /** Reports a finished step. */
  onStep(step: string, seconds: number): void;
}

export interface Run {
  /** Payments before the loss, and after the opening. */
  readonly payments: { readonly before: number; readonly after: number };
  /** Messages of the lost time that were recovered. */
  readonly recovered: number;
  /** Seconds before the loss that the restored log lacks. */
  readonly lost_s: number;
  /** Differences between Florin and the network, a sentence each. */
  readonly differences: readonly string[];
}

/**
 * Takes payments, backs up, kills Florin and deletes its database. Then restores, learns, reports and opens, by the
 * commands of docs/pages/operate/backup.md, and compares Florin with the books of the network.
 */
export async function rehearseBackup(options: RunOptions): Promise<Run> {
  const { directory, seed, actions, onStep } = options;
  const [data, before] = [join(directory, 'data'), join(directory, 'before')];
  const [repository, keys] = [join(directory, 'backup'), join(directory, 'keys')];
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await work();
    onStep(name, (performance.now() - begun) / 1_000);
    return result;
  };
  const florin = (...words: string[]) => {
    const shown = words.filter((word) => !word.startsWith('/'));
    return step(`florin ${shown.join(' ')}`, () => runFlorin(data, ...words));
  };

  const running = await step('npm start', () => startProcesses({ dataDir: data, env: ENV }));
  const shop = openShop(running.baseUrl, keyOf(running), createRandom(seed));
  await step('payments before the backup', () => trade(shop, actions));
  await florin('backup', repository);
  await florin('backup', 'keys', keys);
  await step('payments in the log of the backup', () => trade(shop, actions));
  const covered = await step('the log reaches the backup', () => waitForLog(data));
  await step('payments after the log', () => trade(shop, actions));
  const payments = await countPayments(running);
  const lost_at = Date.now();
  await loseDatabase(running);
  await rename(data, before);

  await florin('backup', 'verify', repository, '--key', join(keys, 'backup', 'key'));
  await florin('restore', repository, '--keys', before, '--dry-run');
  await florin('restore', repository, '--keys', before);
  const again = await step('npm start, closed', () =>
    startProcesses({ dataDir: data, env: ENV, ready_path: '/livez', port: running.port }),
  );
  await florin('restore', 'learn');
  const report = await florin('restore', 'report');
  await florin('restore', 'open');
  await step('work that was due', () =>
    openShop(again.baseUrl, keyOf(again), createRandom(seed)).drain(),
  );
  const after = await countPayments(again);
  await again.stop();
  return {
    payments: { before: payments, after },
    lost_s: (lost_at - covered) / 1_000,
    ...(await compare(data, report)),
  };
}

const keyOf = ({ credentials }: Processes): string => credentials.sandbox.secret_key;

async function trade(shop: Shop, actions: number): Promise<void> {
  for (let done = 0; done < actions; done++) await shop.act();
  await shop.drain();
}

/** Waits until the backup has the log up to now. Returns the time that the log covers, in milliseconds. */
async function waitForLog(data: string): Promise<number> {
  const begun = Date.now();
  for (;;) {
    const list = await runFlorin(data, 'backup', 'list');
    const [, until = ''] = /segments of the log, until (\S+)/.exec(list) ?? [];
    const covered = Date.parse(until);
    if (covered >= begun) return covered;
    if (Date.now() - begun > LOG_LIMIT_MS)
      throw new Error(`the log of the backup ends at ${until}, after ${LOG_LIMIT_MS} ms`);
    await sleep(LOG_POLL_MS);
  }
}

async function countPayments({ dataDir }: Processes): Promise<number> {
  const sql = 'select count(*) from payment_demands';
  const { rows } = await usePostgres(dataDir, (postgres) =>
    withClient(postgres.url(DATABASE), (client) => client.query(sql)),
  );
  return Number(rows[0].count);
}

/** Kills all processes with SIGKILL, and deletes the database. */
async function loseDatabase(running: Processes): Promise<void> {
  const { cluster } = await chooseLocation(running.dataDir, databaseAccount());
  await running.kill();
  const postmaster = livePostmaster(cluster);
  if (postmaster) process.kill(postmaster.pid, 'SIGKILL');
  const deadline = performance.now() + END_LIMIT_MS;
  while (livePostmaster(cluster) || (await isServing(running))) {
    if (performance.now() > deadline) throw new Error('a killed process does not end');
    await sleep(POLL_MS);
  }
  await rm(cluster, { recursive: true });
  if (existsSync(cluster)) throw new Error('the database is still there');
}

const isServing = ({ baseUrl }: Processes): Promise<boolean> =>
  fetch(`${baseUrl}/livez`).then(
    () => true,
    () => false,
  );

async function compare(
  data: string,
  report: string,
): Promise<Pick<Run, 'differences' | 'recovered'>> {
  const undecided = report.split('\n').filter((line) => /must decide|DIFFERS/.test(line));
  return usePostgres(data, async (postgres) => {
    const url = postgres.url(DATABASE);
    const records = await withClient(url, readRecords);
    const outcome = { records, networkLedger: readNetworkLedger(data) };
    return {
      recovered: await withClient(url, countRecovered),
      differences: [
        ...undecided,
        ...(await findLedgerFaults(url)),
        ...checkCharges(outcome),
        ...compareFollowUps(outcome),
      ],
    };
  });
}

async function countRecovered(client: Parameters<typeof readRecords>[0]): Promise<number> {
  const sql = 'select count(*) from attempts where recovered_at is not null';
  return Number((await client.query(sql)).rows[0].count);
}
