import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStack } from '@florin/cli/supervisor/stack.ts';
import type { MigrateAction } from '@florin/contract/migrations/command.ts';
import type { MigrationFile } from '@florin/contract/migrations/plan.ts';
import { commandMigration, readServerHistory } from '@florin/server/platform/database/migrate.ts';
import { openDatabase } from '@florin/vault/store/db.ts';
import { commandMigration as commandVault } from '@florin/vault/store/migrate.ts';
import pg from 'pg';
import { storeCustomers, storePayments } from '../../bench/bulk.ts';
import { type Cluster, startCluster, startSimulator } from '../support/cluster.ts';
import { compareAccepted } from '../support/compare.ts';
import { createOwnedDatabase, type OwnedDatabase } from './database.ts';
import { compareAnswers, type StageResult, takePaymentsDuring } from './load.ts';
import { NEXT_MIGRATIONS } from './next-release.ts';
import { createNotedRows, type NotedComparison, type NotedRows } from './noted-rows.ts';
import { migrateWith, openRelease, type Release } from './release.ts';

export interface UpgradePlan {
  /** Empty directory with a short path. */
  readonly directory: string;
  readonly postgresUrl: string;
  readonly from: string;
  /** Payments that the installation has before. */
  readonly payments: number;
  readonly clients: number;
  readonly per_second: number;
  /** Shortest time of a stage. */
  readonly stage_s: number;
  readonly print: (line: string) => void;
}

export interface UpgradeReport {
  readonly release: string;
  readonly stages: readonly StageResult[];
  /** Payments whose answers of the old and the new release were compared. */
  readonly answers: number;
  /** Rows that were compared by their id, by table. */
  readonly rows: NotedComparison['rows'];
  readonly differences: readonly string[];
}

interface Machine {
  readonly plan: UpgradePlan;
  readonly database: OwnedDatabase;
  readonly simulatorUrl: string;
  readonly noted: NotedRows;
}

/** Migrates an installation of an earlier release under load, and replaces its processes. */
export async function rehearseUpgrade(plan: UpgradePlan): Promise<UpgradeReport> {
  const { directory, postgresUrl, from, print } = plan;
  await using cleanup = new AsyncDisposableStack();
  const release = openRelease(from, join(directory, 'release'));
  const database = await createOwnedDatabase(postgresUrl, 'florin_upgrade');
  print(`Release ${release.name} migrates an empty database.`);
  await migrateWith(release, database.ownerUrl);
  const stack = createStack({
    print,
    fail: ({ message }) => print(message),
    diskFull: () => false,
  });
  cleanup.defer(() => stack.stop());
  const network = join(directory, 'network');
  mkdirSync(network);
  const simulatorUrl = await startSimulator(stack, network);
  const noted = createNotedRows(database.adminUrl);
  const machine = { plan, database, simulatorUrl, noted };
  const old = cleanup.use(await startMachine(machine, 'a', release));
  await storeBulk(database.adminUrl, plan);
  const { stages, current } = await upgrade(machine, old, cleanup);
  const paid = stages.flatMap((stage) => stage.paid);
  const differences = await compareAccepted(
    { adminUrl: database.adminUrl, dataDir: network },
    stages.flatMap((stage) => stage.accepted),
  );
  differences.push(...(await compareAnswers(current, old.secretKey, paid)));
  const comparison = await noted.compare();
  return {
    release: release.name,
    stages,
    answers: paid.length,
    rows: comparison.rows,
    differences: [...differences, ...comparison.differences],
  };
}

const startMachine = (
  { plan, database, simulatorUrl }: Machine,
  name: string,
  release?: Release,
): Promise<Cluster> =>
  startCluster({
    dataDir: join(plan.directory, name),
    postgresUrl: plan.postgresUrl,
    apis: 1,
    workers: 1,
    shared: { database, simulatorUrl },
    ...(release && { packages: release.packages }),
  });

async function upgrade(
  machine: Machine,
  old: Cluster,
  cleanup: AsyncDisposableStack,
): Promise<{ readonly stages: StageResult[]; readonly current: readonly string[] }> {
  const { plan, database, noted } = machine;
  const migrate = (action: MigrateAction, further?: readonly MigrationFile[]) =>
    migrateAll(database.ownerUrl, action, plan.print, further);
  const during = async (name: string, apis: readonly string[], work: () => Promise<unknown>) => {
    plan.print(`${name}:`);
    const load = { ...plan, apis, secretKey: old.secretKey };
    const stage = await takePaymentsDuring(name, load, () =>
      Promise.all([work(), sleep(plan.stage_s * 1_000)]),
    );
    const { payments, failed, longest_ms } = stage;
    plan.print(
      `  ${payments} payments, ${failed.length} failed requests, longest wait ${Math.round(longest_ms)} ms`,
    );
    await noted.note();
    return stage;
  };
  const stages = [await during('old release, before', old.apis, async () => {})];
  await migrate('plan');
  stages.push(await during('old release, migrations', old.apis, () => migrate('apply')));
  await migrate('verify');
  const started: Cluster[] = [];
  stages.push(
    await during('old release, new one starts', old.apis, async () => {
      copyKeys(join(plan.directory, 'a'), join(plan.directory, 'b'));
      started.push(cleanup.use(await startMachine(machine, 'b')));
    }),
  );
  const current = started.flatMap(({ apis }) => apis);
  const both = [...old.apis, ...current];
  stages.push(await during('both releases', both, async () => {}));
  stages.push(await during('both, next migrations', both, () => migrate('apply', NEXT_MIGRATIONS)));
  stages.push(await during('new release, old one stops', current, () => old.stop()));
  return { stages, current };
}

/** The second machine has the keys of the first. */
function copyKeys(from: string, to: string): void {
  mkdirSync(join(to, 'vault'), { recursive: true });
  for (const file of ['credentials.json', 'secrets.key', 'vault/root.key'])
    cpSync(join(from, file), join(to, file));
}

async function migrateAll(
  ownerUrl: string,
  action: MigrateAction,
  print: UpgradePlan['print'],
  further: readonly MigrationFile[] = [],
): Promise<void> {
  const history = await readServerHistory();
  const files = [...history.files, ...further];
  const startedAt = performance.now();
  const timed = (line: string) =>
    print(`  ${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  const command = { action, print: timed };
  const options = { history: { ...history, files }, grant_to: 'florin_server' };
  const code = await commandMigration(ownerUrl, options, command);
  if (code !== 0) throw new Error(`florin migrate ${action} failed`);
  if (further.length > 0) return;
  await using vault = await openDatabase(ownerUrl, () => {});
  await commandVault(vault, { grant_to: 'florin_vault' }, command);
}

/** Stores payments of the demo merchant by SQL, and lets PostgreSQL count them. */
async function storeBulk(adminUrl: string, { payments, print }: UpgradePlan): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      'select id from merchants order by id limit 1',
    );
    const merchant = rows[0]?.id ?? '';
    await storeCustomers(client, merchant);
    await storePayments(client, merchant, { from: 0, to: payments }, () => {});
    await client.query('vacuum analyze payment_demands');
    print(`Stored ${payments} payments.`);
  } finally {
    await client.end();
  }
}
