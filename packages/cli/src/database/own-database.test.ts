import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../tests/support.ts';
import { markExternal, requireOwnDatabase } from './own-database.ts';

const databaseUrl = 'postgres://florin@127.0.0.1/florin';

describe('a data directory without DATABASE_URL', () => {
  it('may have the embedded database if it never had another', () => {
    expect(() => requireOwnDatabase({ dataDir: temporaryDirectory() })).not.toThrow();
  });

  it.each([
    ['a start with DATABASE_URL', markExternal],
    [
      'the login of an earlier version',
      (dataDir: string) => writeFileSync(join(dataDir, 'vault-login.json'), '{}'),
    ],
  ])('is refused after %s', (_, prepare) => {
    const dataDir = temporaryDirectory();
    prepare(dataDir);
    expect(() => requireOwnDatabase({ dataDir })).toThrow(/^DATABASE_URL is not set, but /);
    expect(() => requireOwnDatabase({ dataDir, databaseUrl })).not.toThrow();
  });

  it('is refused if only the vault has its own database', () => {
    const settings = { dataDir: temporaryDirectory(), vaultDatabaseUrl: databaseUrl };
    expect(() => requireOwnDatabase(settings)).toThrow('DATABASE_URL is not. Set both.');
  });
});
