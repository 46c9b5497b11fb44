import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Tracer } from './traces.ts';

/** Counts of searched items, which prove that a search without findings was not empty. */
export interface SearchCounts {
  files: number;
  bytes: number;
  texts: number;
}

/** Returns traces in the files under a folder, as `<file>: <what>`. */
export async function searchTree(
  folder: string,
  tracer: Tracer,
  counts: SearchCounts,
): Promise<string[]> {
  const traces: string[] = [];
  for (const file of await filesIn(folder)) {
    const bytes = await readIfExists(file);
    if (!bytes) continue;
    counts.files += 1;
    counts.bytes += bytes.length;
    traces.push(...tracer.find(bytes).map((trace) => `${file.slice(folder.length + 1)}: ${trace}`));
  }
  return traces.sort();
}

export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Reads a file; undefined if a running program has deleted it. */
const readIfExists = async (file: string): Promise<Buffer | undefined> =>
  (await stat(file).catch(() => undefined)) && readFile(file).catch(() => undefined);

/** Returns the rows of all tables as text by table name, or only those of tables in the write-ahead log. */
export async function dumpTables(
  pool: Pool,
  { logged = false } = {},
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and (c.relpersistence = 'p' or not $1) order by 1`,
    [logged],
  );
  const dump = new Map<string, string>();
  for (const { name } of rows) {
    const lines = await pool.query<{ line: string }>(`select t::text as line from ${name} t`);
    dump.set(name, lines.rows.map(({ line }) => line).join('\n'));
  }
  return dump;
}

/** Returns traces in texts, as `<name of the text>: <what>`. */
export function searchTexts(
  texts: ReadonlyMap<string, string>,
  tracer: Tracer,
  counts: SearchCounts,
): string[] {
  counts.texts += texts.size;
  return [...texts].flatMap(([name, text]) =>
    tracer.find(Buffer.from(text)).map((trace) => `${name}: ${trace}`),
  );
}

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;
/** Counts and measurements in log lines, which may equal a verification value. */
const MEASURED = /"(?:ms|pid)":\d+|\b(?:pid|process):? \d+|\b\d+ ms\b/gi;
const CONTEXT_CHARS = 16;

/**
 * Returns a finding for each text in which a verification value of four digits stands alone, without the value. Shorter
 * values match by chance, and so do digits next to letters, in decimals, ids or process numbers.
 */
export function findVerificationValues(
  texts: Iterable<readonly [string, string]>,
  cvvs: readonly string[],
): string[] {
  const longCvvs = cvvs.filter(({ length }) => length > 3).join('|');
  const standalone = new RegExp(`(?<![\\w.+/[-])(?:${longCvvs})(?![\\w.+/\\]-])`);
  return [...texts].flatMap(([name, text]) => {
    const cleanText = text.replace(UUID, '').replace(MEASURED, '');
    const hit = standalone.exec(cleanText);
    if (!hit) return [];
    const precedingText = cleanText.slice(Math.max(0, hit.index - CONTEXT_CHARS), hit.index);
    return [
      `${name}: a verification value after ${JSON.stringify(precedingText.replace(/\d/g, '#'))}`,
    ];
  });
}

/**
 * Finds a verification value of any length that follows a word for verification value. Returns at most one finding.
 */
export function findNamedVerificationValue(bytes: Buffer, cvvs: readonly string[]): string[] {
  const pattern = `(?:cvv2?|cvc2?|security.?code)["'\\\\]{0,4}[\\s:=,"'\\\\]{1,6}(?:${cvvs.join('|')})(?!\\d)`;
  const match = new RegExp(pattern, 'i').exec(bytes.toString('latin1'));
  if (!match) return [];
  return [`a verification value by its name (${JSON.stringify(match[0].replace(/\d/g, '#'))})`];
}

/** Stops PostgreSQL from compressing values and recycling its log, so that all written bytes stay in files. */
export async function keepAllTraces(client: Pool): Promise<void> {
  await client.query(`alter system set wal_keep_size = '4GB'`);
  await client.query('select pg_reload_conf()');
  const { rows } = await client.query<{ sql: string }>(
    `select format('alter table %I.%I alter column %I set storage external', n.nspname, c.relname, a.attname) as sql
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'vault') and a.attnum > 0 and not a.attisdropped
       and a.attstorage in ('x', 'm')`,
  );
  for (const { sql } of rows) await client.query(sql);
}
