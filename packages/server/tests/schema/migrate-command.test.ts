import type { MigrateAction } from '@florin/contract/migrations/command.ts';
import type { MigrationFile } from '@florin/contract/migrations/plan.ts';
import { testSchema } from '@florin/dev-env/config/env.ts';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  commandMigration,
  describeServerSchema,
  migrate,
  readServerHistory,
  readServerSchema,
} from '../../src/platform/database/migrate.ts';

const SCHEMA = testSchema();

let database: ClonedDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await cloneDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

const NEXT: readonly MigrationFile[] = [
  {
    name: '9998-index',
    phase: 'expand',
    checksum: 'index',
    sql: '-- florin: expand, online\ncreate index concurrently payment_demands_next on payment_demands (id);\n',
  },
  {
    name: '9999-next',
    phase: 'contract',
    checksum: 'next',
    sql: '-- florin: contract\nalter table payment_demands drop column description;\ncreate table next (id uuid references merchants (id));\n',
  },
];

/** Runs an action, with further migrations after this release's own. */
async function run(action: MigrateAction, further: readonly MigrationFile[] = []) {
  const history = await readServerHistory();
  const lines: string[] = [];
  const code = await commandMigration(
    database.url,
    { history: { ...history, files: [...history.files, ...further] } },
    { action, print: (line) => lines.push(line) },
  );
  return { code, lines };
}

describe('plan', () => {
  it('lists pending migrations with their locks and statements, and changes nothing', async () => {
    const tables = async () => (await client.query('select * from kysely_migration')).rows;
    const before = await tables();
    const { code, lines } = await run('plan', NEXT);
    expect(code).toBe(0);
    expect(lines.map((line) => line.replace(/\(.* kB\)/, '(SIZE)'))).toEqual([
      "The server's tables lack 2 migrations. Nothing was changed.",
      '9998-index (expand, online)',
      '  locks no table that exists',
      '  - create index concurrently payment_demands_next on payment_demands (id)',
      '9999-next (contract)',
      `  writes of ${SCHEMA}.merchants wait (SIZE)`,
      `  reads and writes of ${SCHEMA}.payment_demands wait (SIZE)`,
      '  - alter table payment_demands drop column description',
      '  - create table next (id uuid references merchants (id))',
    ]);
    expect(await tables()).toEqual(before);
  });

  it('says that nothing is to do', async () => {
    expect(await run('plan')).toEqual({
      code: 0,
      lines: ["The server's tables are up to date: nothing to apply."],
    });
  });

  it.each<MigrateAction>(['plan', 'apply', 'verify'])(
    'refuses the schema of a newer release, as %s does too, and says what to do',
    async (action) => {
      await run('apply', NEXT);
      await expect(run(action)).rejects.toThrow(
        /made by a newer Florin \(it has 9998-index, 9999-next\)\. Run the release that migrated it/,
      );
    },
  );
});

describe('apply', () => {
  it('applies what plan listed, and then nothing', async () => {
    expect(await run('apply', NEXT)).toEqual({
      code: 0,
      lines: [
        '9998-index',
        '9999-next',
        "The server's tables are up to date (2 migrations applied).",
      ],
    });
    expect((await run('apply', NEXT)).lines).toEqual([
      "The server's tables are up to date (0 migrations applied).",
    ]);
  });
});

describe('verify', () => {
  it('finds no difference in a migrated database; `npm run db:record` writes the schema', async () => {
    expect(await describeServerSchema(database.url)).toEqual(await readServerSchema());
    expect(await run('verify')).toEqual({
      code: 0,
      lines: ["The server's tables are as this release made them."],
    });
  });

  it.each([
    [
      'a lost index',
      'drop index payment_demands_newest',
      /^Missing: index payment_demands\.payment_demands_newest /,
    ],
    [
      'a changed column',
      'alter table customers alter column name set not null',
      /^Missing: column customers\.name text$/,
    ],
    [
      'a column of somebody',
      'alter table customers add column mine text not null default 1',
      /^Not made by a migration: column customers\.mine /,
    ],
    [
      'a unique index of somebody',
      'create unique index mine on customers (id, email)',
      /^Not made by a migration: index customers\.mine /,
    ],
    [
      'a trigger that was switched off',
      'alter table ledger_transfers disable trigger user',
      /^Missing: trigger ledger_transfers\./,
    ],
    [
      'an index that is not valid',
      `update pg_index set indisvalid = false where indexrelid = 'payment_demands_newest'::regclass`,
      new RegExp(
        `^Invalid: The index ${SCHEMA}.payment_demands_newest of payment_demands is not valid: .* drop index concurrently ${SCHEMA}.payment_demands_newest; then: CREATE INDEX CONCURRENTLY payment_demands_newest `,
      ),
    ],
  ])('names %s', async (_what, change, line) => {
    const admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    await admin.query(change);
    await admin.end();
    const { code, lines } = await run('verify');
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(line));
    expect(lines.at(-1)).toMatch(/^The server's tables differ from what this release made\./);
  });

  it('lets operators have tables and indexes of their own', async () => {
    await client.query(
      'create table mine (id uuid primary key); create index own on customers (name)',
    );
    const { code, lines } = await run('verify');
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^Your own \(no error\): table mine /));
  });

  it('names migrations that are left to apply', async () => {
    await expect(run('verify', NEXT)).rejects.toThrow(
      /^Migrations are left to apply: 9998-index, 9999-next\. Run "npm run florin -- migrate apply"/,
    );
  });
});

it('a program starts again on the schema of a newer release that only expands', async () => {
  const [expanding] = NEXT;
  await run('apply', expanding ? [expanding] : []);
  await migrate(database.url, { runs_on_newer: true, grant_to: 'florin_server' });
  await run('apply', NEXT);
  await expect(migrate(database.url, { runs_on_newer: true })).rejects.toThrow(
    /newer Florin \(it has 9999-next\)/,
  );
});
