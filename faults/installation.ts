import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createStack } from '@florin/cli/supervisor/stack.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import type { Credentials } from '@florin/server/features/demo/credentials.ts';
import { type DatabaseFaults, startDatabaseFaults } from './database-faults.ts';
import { SPEED } from './fast-clock.ts';
import type { Plan } from './plan.ts';
import { serviceOf } from './services.ts';

/** Directory and PostgreSQL for a sequence of runs. */
export interface RunEnvironment {
  /** Directory of files that are deleted with the environment. */
  readonly directory: string;
  /** Administrator's URL of a PostgreSQL that runs may crash. */
  readonly postgresUrl: string;
}

/** Florin's processes under a supervisor, with a network and a database that fail as planned. */
export interface Installation extends AsyncDisposable {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly simulatorUrl: string;
  readonly dataDir: string;
  /** Connection URL that bypasses the database faults, except crashes of PostgreSQL. */
  readonly adminUrl: string;
  readonly database: DatabaseFaults;
  /** Kill points at which processes killed themselves. */
  kills(): readonly string[];
  /** Kill points at which processes paused. */
  stalls(): readonly string[];
  /** Simulated faults of network messages that occurred. */
  networkFaults(): readonly string[];
  /** Sentences printed by the supervisor. */
  readonly printedSentences: readonly string[];
  /** Ends all simulated faults. */
  calmDown(): void;
  /** Stops Florin's processes, then the network. Afterwards the network's ledger can be read. */
  stop(): Promise<void>;
}

export async function startInstallation(
  plan: Plan,
  { directory, postgresUrl }: RunEnvironment,
): Promise<Installation> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(directory, 's-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const ownDatabase = cleanup.use(await cloneDatabase(postgresUrl));
  const database = cleanup.use(
    await startDatabaseFaults(plan, { ...ownDatabase, url: ownDatabase.serverUrl }),
  );
  const printedSentences: string[] = [];
  const stack = createStack({
    print: (sentence) => printedSentences.push(sentence),
    fail: ({ message }) => printedSentences.push(message),
    diskFull: () => false,
  });
  let stopPromise: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopPromise ??= stack.stop();
    return stopPromise;
  };
  cleanup.defer(stop);
  const settings = await settingsOf(plan, dataDir);
  const { port, simulatorUrl, killsFile, calmFile, faultsFile, stallsFile } = settings;
  const ownSettings = {
    simulator: { port: Number(new URL(simulatorUrl).port), databaseUrl: '' },
    vault: { databaseUrl: database.vaultUrl },
    server: { databaseUrl: database.url },
  };
  for (const name of ['simulator', 'vault', 'server'] as const) {
    const partSettings = { ...settings, ...ownSettings[name] };
    const stalls = name === 'vault' ? plan.stalls : [];
    await stack.start(serviceOf({ name, settings: partSettings, kills: plan.kills[name], stalls }));
  }
  const secretKey = await secretKeyIn(dataDir);
  const runningParts = cleanup.move();
  database.begin();
  return {
    baseUrl: `http://localhost:${port}`,
    secretKey,
    simulatorUrl,
    dataDir,
    adminUrl: ownDatabase.adminUrl,
    database,
    kills: () => linesOf(killsFile),
    stalls: () => linesOf(stallsFile),
    networkFaults: () => linesOf(faultsFile),
    printedSentences,
    calmDown() {
      database.stop();
      writeFileSync(calmFile, '');
    },
    stop,
    [Symbol.asyncDispose]: () => runningParts.disposeAsync(),
  };
}

/** Settings that all processes of a run share. */
async function settingsOf({ seed, speed = SPEED }: Plan, dataDir: string) {
  const [port, networkPort] = [await freePort(), await freePort()];
  return {
    port,
    dataDir,
    seed,
    socketPath: join(dataDir, 'vault.sock'),
    simulatorUrl: `http://127.0.0.1:${networkPort}`,
    epoch_ms: Date.now(),
    speed,
    killsFile: join(dataDir, 'kills'),
    stallsFile: join(dataDir, 'stalls'),
    calmFile: join(dataDir, 'calm'),
    faultsFile: join(dataDir, 'faults'),
  };
}

async function secretKeyIn(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'credentials.json'), 'utf8');
  return (JSON.parse(text) as Credentials).sandbox.secret_key;
}

const linesOf = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as string)
    : [];
