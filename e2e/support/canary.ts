import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import pg from 'pg';

/** Returns the files under a folder that contain a forbidden text. */
export async function searchFiles(folder: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => {
      const contents = await readFile(file);
      return texts.some((text) => contents.includes(text)) ? [file] : [];
    }),
  );
  return found.flat();
}

/**
 * Returns the tables that contain a forbidden text. Searches all tables outside of system schemas, each row as text.
 */
export async function searchDatabase(dataDir: string, texts: readonly string[]): Promise<string[]> {
  const postgres = await startPostgres({ dataDir });
  const client = new pg.Client({ connectionString: postgres.url('florin') });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name } of rows as { name: string }[]) {
      const pattern = texts.map((text) => `%${text}%`);
      const hit = await client.query(
        `select 1 from ${name} t where t::text like any ($1) limit 1`,
        [pattern],
      );
      if (hit.rowCount) found.push(name);
    }
    if (rows.length < 10) throw new Error('the search saw fewer tables than there are');
    return found;
  } finally {
    await client.end();
  }
}
