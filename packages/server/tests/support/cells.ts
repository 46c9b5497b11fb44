import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@florin/dev-env/parts.ts';
import type { Stack } from '@florin/dev-env/stack.ts';
import type { App, Overrides } from '@florin/server/app.ts';
import type { Config } from '@florin/server/config/config.ts';
import { type CellInput, createCell } from '../../src/features/cells/create.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import type { Api } from './api.ts';
import { sealerOf } from './instance-secrets.ts';

const CELL = join(import.meta.dirname, '../../src/bin/cell.ts');

export const openOne = (url: string): Database => openDatabase({ url, connections_max: 1 });

/** Makes a database a cell of the stack's installation. */
export async function makeCell(
  { stack, fixtures }: Pick<Api<Stack>, 'stack' | 'fixtures'>,
  { name, address, dry_run = false }: Pick<CellInput, 'name' | 'address'> & Partial<CellInput>,
  { open = openOne, print = (_line: string): void => {} } = {},
): Promise<void> {
  const { global } = fixtures;
  const sealer = await sealerOf(stack.dataDir);
  const deps = { global, global_url: stack.databaseUrl, sealer, clock: systemClock() };
  await createCell({ ...deps, open, print }, { name, address, dry_run });
}

/** Starts another server of the stack's installation, with a data directory of its own. */
export async function startCellServer(
  { dataDir, simulatorUrl, vaultDatabaseUrl, vaultSocket: socketPath }: Stack,
  databaseUrl: string,
  config: Partial<Config>,
  cleanup: AsyncDisposableStack,
  overrides: Overrides = {},
): Promise<App> {
  const otherDir = await mkdtemp(join(tmpdir(), 'florin-cell-'));
  cleanup.defer(() => rm(otherDir, { recursive: true, force: true }));
  for (const name of ['secrets.key', 'credentials.json'])
    await cp(join(dataDir, name), join(otherDir, name));
  const addresses = { port: 0, dataDir: otherDir, socketPath, simulatorUrl, vaultDatabaseUrl };
  return cleanup.use(await startServer({ ...addresses, databaseUrl }, config, overrides));
}

/** Runs the command of operators, or another one, with an address on its standard input. */
export function runCell(
  { dataDir, databaseUrl: ownDatabase }: Stack,
  words: readonly string[],
  { address = '', program = CELL, databaseUrl = ownDatabase } = {},
): Promise<{ code: number; text: string }> {
  const env = { ...process.env, FLORIN_DATA: dataDir, DATABASE_URL: databaseUrl };
  const { promise, resolve } = Promise.withResolvers<{ code: number; text: string }>();
  const child = execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
  );
  child.stdin?.end(address);
  return promise;
}
