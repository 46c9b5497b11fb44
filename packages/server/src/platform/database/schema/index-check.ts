import type { Db } from '../db.ts';
import { readIndexes } from './actual.ts';
import { createIndexSql } from './migration-sql.ts';
import { servesAs } from './serves.ts';
import type { IndexSchema, TableSchema } from './table-schema.ts';

/** Thrown if a filter would scan a complete table. */
export class MissingIndexError extends Error {
  override name = 'MissingIndexError';
}

const NAMED_MAX = 5;

/**
 * Checks that every filterable field has an index, in one catalog query. Throws `MissingIndexError` with the
 * field and the statement that creates its index.
 */
export async function requireIndexes(db: Db, tables: readonly TableSchema[]): Promise<void> {
  const actual = await readIndexes(db);
  const missingIndexes = tables.flatMap((table) =>
    table.indexes
      .filter(
        (requiredIndex) => !actual.get(table.name)?.some((index) => servesAs(index, requiredIndex)),
      )
      .map((requiredIndex) => describeMissing(table, requiredIndex)),
  );
  if (missingIndexes.length === 0) return;
  const unnamedCount = missingIndexes.length - NAMED_MAX;
  const remainder = unnamedCount > 0 ? `; and ${unnamedCount} more` : '';
  throw new MissingIndexError(
    `The database has no index for ${missingIndexes.slice(0, NAMED_MAX).join('; and none for ')}${remainder}.`,
  );
}

const describeMissing = (table: TableSchema, requiredIndex: IndexSchema): string =>
  `${requiredIndex.served_member} of ${table.name}, which queries filter by; it is made with \`${createIndexSql(table.name, requiredIndex)}\``;
