import type { Row } from '../../platform/database/row.ts';
import type { View } from './view-type.ts';

/** Columns of a table that rows may lack: they are computed from other columns whenever a record is read. */
export interface ComputedColumns {
  readonly columns: readonly string[];
  /** Columns that `compute` reads. */
  readonly from: readonly string[];
  /** Values of the columns of a row; none where the row's own values count. */
  compute(row: Row): Row;
}

/** Computed columns by table. */
export type ComputedByTable = Readonly<Record<string, ComputedColumns>>;

/** The view with computed columns, for views that show one of them. */
export function withComputedColumns(view: View, computed: ComputedColumns | undefined): View {
  if (!computed?.columns.some((column) => view.columns.includes(column))) return view;
  return {
    ...view,
    columns: [...new Set([...view.columns, ...computed.from])],
    write: (row, linkage) => view.write({ ...row, ...computed.compute(row) }, linkage),
  };
}
