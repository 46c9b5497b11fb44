import type { Row } from './database/row.ts';
import type { Scope } from './database/scope.ts';

/**
 * SQL of columns whose values differ by mode: the sandbox has `sandbox_<column>`. `mode` is an SQL expression, `alias`
 * the row's table.
 */
export const modeColumns = (
  columns: readonly string[],
  { mode, alias }: { readonly mode: string; readonly alias: string },
): string =>
  columns
    .map(
      (column) =>
        `case ${mode} when 'sandbox' then ${alias}.sandbox_${column} else ${alias}.${column} end as ${column}`,
    )
    .join(', ');

/** The row as the sandbox sees it, by columns of live mode and their columns of the sandbox. */
export const sandboxRow = (row: Row, columns: ReadonlyMap<string, string>): Row => ({
  ...row,
  ...Object.fromEntries([...columns].map(([live, sandbox]) => [live, row[sandbox] ?? null])),
});

/** Changes with the columns that the mode has for itself. */
export const modeChanges = (
  changes: Row,
  columns: ReadonlyMap<string, string>,
  { mode }: Pick<Scope, 'mode'>,
): Row =>
  mode === 'live'
    ? changes
    : Object.fromEntries(
        Object.entries(changes).map(([name, value]) => [columns.get(name) ?? name, value]),
      );
