import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StartSettings } from '../config/env.ts';
import { requireOwnDatabase } from '../database/own-database.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { DATABASE, vaultSocket } from './services.ts';

export interface AtDatabaseOptions {
  readonly settings: StartSettings;
  /** The `packages` directory. */
  readonly packages: string;
  readonly print: (text: string) => void;
}

/** Whether a changing command has no further word than `--dry-run`. */
export const isAtMostDryRun = (words: readonly string[]): boolean =>
  words.length === 0 || (words.length === 1 && words[0] === '--dry-run');

/** Input of a script besides the database. */
export interface ScriptInput {
  readonly words?: readonly string[];
  /** Standard input, for secrets: other users can read the words of a process. */
  readonly input?: string;
  /** Whether the script gets the path of the vault's socket. FLORIN_VAULT_ADDRESSES replaces it. */
  readonly vault?: boolean;
  /** Time to wait for the PostgreSQL of a running Florin, if not that of other commands. */
  readonly postgres_limit_ms?: number;
}

/**
 * Runs a server script, such as `verify-ledger.ts`, on the database of a data directory, whether Florin is running or
 * not. Resolves with the script's exit code.
 */
export async function atDatabase(
  options: AtDatabaseOptions,
  script: string,
  given: ScriptInput = {},
): Promise<number> {
  const { dataDir, databaseUrl } = options.settings;
  requireOwnDatabase(options.settings);
  if (databaseUrl) return runScript(options, databaseUrl, script, given);
  requireInstallation(dataDir);
  return usePostgres(
    dataDir,
    (postgres) => runScript(options, postgres.url(DATABASE, 'florin_server'), script, given),
    given.postgres_limit_ms,
  );
}

/** Throws `PlainFailure` if no installation with an embedded database is in the data directory. */
export function requireInstallation(dataDir: string): void {
  if (existsSync(join(dataDir, 'credentials.json'))) return;
  throw new PlainFailure(
    `${dataDir} holds no Florin installation. Set FLORIN_DATA to its data directory, or DATABASE_URL to its database.`,
  );
}

/** Runs a server script, without a database for an empty address. */
export async function runScript(
  { settings, packages }: AtDatabaseOptions,
  DATABASE_URL: string,
  script: string,
  { words = [], input = '', vault }: ScriptInput,
): Promise<number> {
  const path = join(packages, 'server', 'src', 'bin', script);
  const { dataDir: FLORIN_DATA } = settings;
  const sockets = vault && !settings.vaultAddresses && { VAULT_SOCKET: socketOf(settings) };
  const env = { ...settings.inherited.server, DATABASE_URL, FLORIN_DATA, ...sockets };
  const child = spawn(process.execPath, [path, ...words], {
    env,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // A script that ends early breaks the pipe; its exit code tells the failure.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return (code as number | null) ?? 1;
}

const socketOf = ({ vaultSocket: path, dataDir }: StartSettings): string =>
  path ?? vaultSocket(dataDir);
