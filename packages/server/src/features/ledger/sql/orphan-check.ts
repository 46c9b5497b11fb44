import { isCurrentType, type Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { inRange } from '../../../platform/database/slices/key-slices.ts';
import { type CheckOptions, DIFFERENCES_MAX, findInSlices } from './ledger-check.ts';

/** A table with references that the database does not check. */
export interface UncheckedTable {
  /** Plural noun of the rows, such as `payment attempts`. */
  readonly noun: string;
  readonly table: string;
  readonly references: readonly UncheckedReference[];
}

export interface UncheckedReference {
  readonly column: string;
  /** Table of the referenced rows. */
  readonly target: string;
}

const all: readonly Resource[] = Object.values(resources);
const tableOf = ({ type, table = type }: Resource): string => table;

function uncheckedReferencesOf({ relations }: Resource): UncheckedReference[] {
  return Object.entries(relations)
    .filter(([, { unchecked }]) => unchecked)
    .map(([name, { to }]) => ({
      column: `${name}_id`,
      target: tableOf(all.find(({ type }) => type === to) as Resource),
    }));
}

/** Tables of the definitions with `unchecked` relations. */
export const uncheckedTables: readonly UncheckedTable[] = all
  .filter(isCurrentType)
  .map((resource) => ({
    noun: resource.type.replaceAll('_', ' '),
    table: tableOf(resource),
    references: uncheckedReferencesOf(resource),
  }))
  .filter(({ references }) => references.length > 0);

/** Rows of a table that reference rows which do not exist. */
export function findOrphans(
  db: Db,
  { table, references }: UncheckedTable,
  options: CheckOptions = {},
): Promise<Row[]> {
  const isOrphan = ({ column, target }: UncheckedReference): string =>
    `t.${column} is not null and not exists
       (select from ${target} r where r.merchant_id = t.merchant_id and r.id = t.${column})`;
  return findInSlices(
    db,
    {
      tables: [{ table, column: 'id' }],
      sql: `select t.merchant_id, t.mode, t.id, ${references.map(({ column }) => `t.${column}`).join(', ')}
        from ${table} t where ${inRange('id', 't')} and (${references.map(isOrphan).join(' or ')})
        limit ${DIFFERENCES_MAX}`,
    },
    options,
  );
}
