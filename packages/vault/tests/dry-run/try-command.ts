import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { dryRunPathOf } from '@florin/contract/protocol/vault-admin.ts';
import { beforeEach, expect } from 'vitest';
import type { CommandResult } from '../support/admin.ts';
import { dumpDatabase, startTestVault, type TestVault } from '../support/vault.ts';

/** A command and its answers: as a dry run, then in earnest. `DIR`, `HOST` and `KID` stand for what differs. */
export interface Trial {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  readonly prepare?: (vault: TestVault) => Promise<unknown>;
  readonly dry: readonly string[];
  readonly earnest: readonly string[];
  /** Whether both are refused. */
  readonly is_refused?: boolean;
}

/** Starts a vault for each test, with its keys of both modes. The clock stands at noon of 21 November 2026. */
export function useFreshVault(onStart: (vault: TestVault) => void): void {
  beforeEach(async () => {
    const vault = await startTestVault();
    await vault.get('/keys');
    onStart(vault);
    return async () => {
      await vault[Symbol.asyncDispose]();
      expect(vault.log.join('')).not.toMatch(/_failed"|not_written/);
    };
  });
}

/** Expects that the dry run answers so and changes nothing, and that the command then does what was said. */
export async function expectTrial(
  vault: TestVault,
  { path, body, prepare, dry, earnest, is_refused = false }: Trial,
): Promise<void> {
  await prepare?.(vault);
  const before = await stateOf(vault);
  const tried = await vault.admin(dryRunPathOf(path), body);
  expect(readable(vault, tried)).toEqual({
    sentences: is_refused ? dry : [...dry, 'Nothing was changed.'],
    ok: !is_refused,
  });
  expect(await stateOf(vault)).toEqual(before);
  const ran = await vault.admin(path, body);
  expect(readable(vault, ran)).toEqual({ sentences: earnest, ok: !is_refused });
}

/** All rows, and all files with what is in them. */
async function stateOf(vault: TestVault) {
  const { dataDir } = vault.config;
  const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  // Entries of cards that were entered before are stored with the next one, or after 100 ms.
  const entered = async () =>
    (await vault.database.query(`select from vault.audit where verb = 'ingest'`)).length;
  const cards = (await vault.database.query('select from vault.cards')).length;
  await expect.poll(entered, { timeout: 15_000 }).toBeGreaterThanOrEqual(cards);
  return {
    rows: (await dumpDatabase(vault.database)).split('\n').sort(),
    files: paths.sort().map((path) => [path, digestOf(path)]),
  };
}

const digestOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

const readable = (vault: TestVault, { sentences, ok }: CommandResult) => ({
  ok,
  sentences: sentences.map((sentence) =>
    sentence
      .replaceAll(vault.config.dataDir, 'DIR')
      .replaceAll(hostname(), 'HOST')
      .replaceAll(/[\w-]{43}/g, 'KID')
      .replaceAll(/fingerprint [0-9a-f:]+/g, 'fingerprint HEX'),
  ),
});

/** Announces another vault, as of a time before now. */
export const announce = (
  vault: TestVault,
  name: string,
  { silent_ms = 0, holds = [1] }: { silent_ms?: number; holds?: readonly number[] } = {},
): Promise<unknown> =>
  vault.database.query(
    `insert into vault.vaults (id, name, holds, seen_at, locks_row)
     values (gen_random_uuid(), $1, $2, $3, true)`,
    [name, holds, new Date(vault.clock.now - silent_ms)],
  );
