/** A column as a definition wants it. */
export interface ColumnSchema {
  readonly name: string;
  /** As `format_type` writes it; a column that is added gets this one. */
  readonly type: string;
  /** Types that hold every value as well. */
  readonly accepted: readonly string[];
  readonly not_null: boolean;
  /** Whether a record may be created without a value for it. */
  readonly optional: boolean;
  /** An SQL literal, for rows that exist when the column is added. */
  readonly default?: string;
  /** The closed set that a CHECK holds it to. */
  readonly values?: readonly string[];
}

export interface ForeignKeySchema {
  readonly columns: readonly string[];
  readonly table: string;
  /** The key that they point to. */
  readonly target: readonly string[];
}

/** An index that a query needs. */
export interface IndexSchema {
  readonly name: string;
  /** What it is for, in the definition's words: the name of a field or relation. */
  readonly serves: string;
  /** The columns that every query of the table is scoped by; an index may do without the mode. */
  readonly scope: readonly string[];
  /** Columns or expressions behind the scope, as `pg_get_indexdef` writes them. */
  readonly keys: readonly string[];
  /** Whether the keys are read from their end. */
  readonly descending: boolean;
  /** The column, where it may be null: an index may leave out the rows where it is. */
  readonly nullable?: string;
  /** Whether one that is made leaves them out: for columns that nothing is sorted by. */
  readonly sparse: boolean;
}

/** A table as a definition wants it. Columns and indexes beside these are the server's own affair. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly ColumnSchema[];
  readonly primary_key: readonly string[];
  readonly foreign_keys: readonly ForeignKeySchema[];
  readonly indexes: readonly IndexSchema[];
  /** Tables or views that its relations are read through. */
  readonly pairs: readonly string[];
}
