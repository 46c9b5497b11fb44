import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { startCluster } from '../support/cluster.ts';
import { compareLedgers } from '../support/compare.ts';
import { openEnvironment } from '../support/environment.ts';
import { takePayments } from '../support/load.ts';
import { createPayer } from '../support/payer.ts';
import { startPgBouncer } from './pgbouncer.ts';

/** Time limits that the page on high availability sets for both users. */
const LIMITS = ['florin_server', 'florin_vault']
  .flatMap((role) => [
    `alter role ${role} set statement_timeout = '5s'`,
    `alter role ${role} set lock_timeout = '2s'`,
    `alter role ${role} set idle_in_transaction_session_timeout = '10s'`,
  ])
  .join('; ');

interface Way {
  readonly name: string;
  readonly reach?: (url: string) => string;
  readonly listens_directly?: boolean;
}

interface Result {
  readonly name: string;
  readonly seconds: number;
  readonly succeeded: number;
  /** Connections of Florin that PostgreSQL has during the payments. */
  readonly connections: number;
  readonly differences: readonly string[];
}

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- pgbouncer',
    summary: 'Takes payments through PgBouncer in transaction mode, and without it.',
    options: {
      payments: { default: '400', description: 'number of payments of each way' },
      clients: { default: '8', description: 'number of clients that pay at the same time' },
    },
  });
  await using environment = await openEnvironment();
  const { directory, postgres } = environment;
  const adminUrl = postgres.url('postgres');
  await using pooler = await startPgBouncer(join(directory, 'b'), adminUrl);
  console.log(`PgBouncer ${pooler.version} in transaction mode.`);
  const { reach } = pooler;
  const ways: readonly Way[] = [
    { name: 'PostgreSQL itself' },
    { name: 'PgBouncer, listening at PostgreSQL', reach, listens_directly: true },
    { name: 'PgBouncer, polling', reach },
  ];
  const load = { count: Number(values.payments), at_once: Number(values.clients) };
  const results: Result[] = [];
  for (const way of ways)
    results.push(await rehearseWay(way, { directory, adminUrl, load, number: results.length }));
  console.log(renderResults(results, load.count));
  return results.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

interface Setting {
  readonly directory: string;
  readonly adminUrl: string;
  readonly load: { readonly count: number; readonly at_once: number };
  readonly number: number;
}

async function rehearseWay(
  { name, ...reachable }: Way,
  { directory, adminUrl, load, number }: Setting,
): Promise<Result> {
  const dataDir = join(directory, `d${number}`);
  const options = { dataDir, postgresUrl: adminUrl, apis: 1, workers: 1, ...reachable };
  await using cluster = await startCluster(options);
  await withClient(adminUrl, (client) => client.query(LIMITS));
  const payer = createPayer(cluster.apis, cluster.secretKey);
  await payer.prepare();
  const counting = countConnections(cluster.adminUrl);
  const { payments, seconds } = await takePayments(payer, load);
  const connections = await counting;
  const { differences } = await compareLedgers(cluster, payer.accepted);
  const succeeded = payments.filter(({ attributes }) => attributes.status === 'succeeded').length;
  return { name, seconds, succeeded, connections, differences };
}

const countConnections = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from pg_stat_activity
       where datname = current_database() and usename in ('florin_server', 'florin_vault')`,
    );
    return Number(rows[0]?.count);
  });

const renderResults = (results: readonly Result[], count: number): string =>
  [
    renderTable(
      ['way', 'payments', 'succeeded', 'payments a second', 'connections', 'differences'],
      results.map(({ name, seconds, succeeded, connections, differences }) => [
        name,
        String(count),
        String(succeeded),
        (count / seconds).toFixed(1),
        String(connections),
        String(differences.length),
      ]),
    ),
    ...results.flatMap(({ differences }) => differences),
  ].join('\n');
