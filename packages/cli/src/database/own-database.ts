import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartSettings } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

/** Files that mark the data directory of an installation with an external database. */
const MARKERS = ['external-database.json', 'vault-login.json'] as const;

/** Records that the data directory belongs to the database of `DATABASE_URL`. */
export function markExternal(dataDir: string): void {
  writeFileSync(join(dataDir, MARKERS[0]), '{"variable":"DATABASE_URL"}\n', { mode: 0o600 });
}

/**
 * Throws `PlainFailure` if the embedded database must not be used, because the data belongs to an external database
 * whose variable is missing or misspelt. An empty database would replace `credentials.json`.
 */
export function requireOwnDatabase({
  dataDir,
  databaseUrl,
  vaultDatabaseUrl,
}: Pick<StartSettings, 'dataDir' | 'databaseUrl' | 'vaultDatabaseUrl'>): void {
  if (databaseUrl) return;
  if (vaultDatabaseUrl)
    throw new PlainFailure('VAULT_DATABASE_URL is set, but DATABASE_URL is not. Set both.');
  const marker = MARKERS.find((name) => existsSync(join(dataDir, name)));
  if (!marker) return;
  throw new PlainFailure(
    `DATABASE_URL is not set, but ${join(dataDir, marker)} shows that this installation has its own database. Set DATABASE_URL to it, or FLORIN_DATA to another directory.`,
  );
}
