import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { livePostmaster } from '@florin/cli/postgres/postmaster.ts';
import { type Postgres, startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';
import { type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { signIn } from '../../packages/server/tests/support/browser.ts';
import { documentOf } from '../../packages/server/tests/support/client.ts';
import { ROOT } from '../../scripts/program.ts';
import { makeFolder, removeAtEnd } from '../folders.ts';
import { interruption } from '../interruption.ts';
import { createTestbed, type Testbed } from '../testbed.ts';

const DATABASE = 'florin';
const HOME = 'home';
const FLORIN = join(ROOT, 'packages/cli/src/main.ts');

/** Cells of one installation on this machine: complete Florins that share people and a directory. */
export interface Cells extends AsyncDisposable {
  /** Starts one more cell, with a merchant of its own. */
  add(): Promise<Testbed>;
  /** Kills the database of a cell with SIGKILL. */
  killDatabase(cell: Testbed): void;
}

interface Place {
  readonly dataDir: string;
  readonly postgres: Postgres;
  readonly env: Readonly<Record<string, string>>;
}

export async function createCells(): Promise<Cells> {
  const cleanup = new AsyncDisposableStack();
  const databases = new Map<Testbed, Postgres>();
  let home: Place | undefined;

  async function openPlace(): Promise<Place> {
    const folder = makeFolder('cells');
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
    cleanup.use(postgres);
    removeAtEnd(postgres.root);
    await withClient(postgres.url('postgres'), (client) =>
      client.query(`create database ${DATABASE}`),
    );
    const address = { DATABASE_URL: postgres.url(DATABASE) };
    const global = home && { FLORIN_GLOBAL_DATABASE_URL: home.postgres.url(DATABASE) };
    return { dataDir: join(folder, 'data'), postgres, env: { ...address, ...global } };
  }

  async function start(
    place: Place,
    options: Pick<Parameters<typeof createTestbed>[0] & object, 'keyOf'>,
  ) {
    const testbed = cleanup.use(await createTestbed({ ...place, ...options }));
    databases.set(testbed, place.postgres);
    return testbed;
  }

  async function addHome(): Promise<Testbed> {
    const place = await openPlace();
    await initialise(place);
    home = place;
    return start(place, {});
  }

  async function addAway(from: Place): Promise<Testbed> {
    const name = `cell_${databases.size + 1}`;
    const place = await openPlace();
    await createCell(from, name, place);
    await mkdir(place.dataDir, { recursive: true, mode: 0o700 });
    for (const file of ['secrets.key', 'credentials.json'])
      await cp(join(from.dataDir, file), join(place.dataDir, file));
    return start(place, { keyOf: openMerchant });
  }

  return {
    add: () => (home ? addAway(home) : addHome()),
    killDatabase(cell) {
      const { pid } = livePostmaster((databases.get(cell) as Postgres).directory) ?? {};
      if (pid) process.kill(pid, 'SIGKILL');
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

/** Starts a Florin for the first time, and makes it a cell. */
async function initialise(place: Place): Promise<void> {
  await using _florin = await startProcesses({ ...place, signal: interruption });
  await createCell(place, HOME, place);
}

/** Runs `florin cell create` at the installation of `from`. */
async function createCell(from: Place, name: string, { postgres }: Place): Promise<void> {
  const child = spawn(process.execPath, [FLORIN, 'cell', 'create', name, '-'], {
    env: { ...inheritedEnv(), ...from.env, FLORIN_DATA: from.dataDir },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  interruption.addEventListener('abort', () => child.kill());
  child.stdin.end(postgres.url(DATABASE));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`florin cell create ${name} exited with ${code}`);
}

/** Opens a merchant in a cell. Returns a secret key of its sandbox. */
async function openMerchant({ baseUrl, credentials }: Processes): Promise<string> {
  const browser = await signIn(baseUrl, credentials.account);
  const { body } = await browser.send('POST', '/dashboard/api/merchants', {
    business_name: 'Bench',
  });
  const key = documentOf('merchant_tokens', { name: 'Bench', context: 'secret' });
  const headers = { 'florin-merchant': body.id, 'florin-mode': 'sandbox' };
  const made = await browser.send('POST', '/v2/merchant_tokens', key, headers);
  if (made.status !== 201) throw new Error(`a key in another cell: ${JSON.stringify(made.body)}`);
  return made.body.data.attributes.token;
}
