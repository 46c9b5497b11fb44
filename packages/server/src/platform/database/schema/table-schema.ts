/** A column that a definition requires. */
export interface ColumnSchema {
  readonly name: string;
  /** Type of an added column, as `format_type` writes it. */
  readonly type: string;
  /** Other types that can store every value. */
  readonly accepted: readonly string[];
  readonly not_null: boolean;
  /** Whether a row may be inserted without a value for the column. */
  readonly optional: boolean;
  /** SQL literal for existing rows when the column is added. */
  readonly default?: string;
  /** Set of values that a CHECK enforces. */
  readonly values?: readonly string[];
}

export interface ForeignKeySchema {
  readonly columns: readonly string[];
  readonly table: string;
  /** Columns of the referenced key. */
  readonly target: readonly string[];
}

/** An index that a query needs. */
export interface IndexSchema {
  readonly name: string;
  /** Field or relationship that the index serves, as named in the definition. */
  readonly served_member: string;
  /** Columns that scope every query of the table. An index may omit the mode. */
  readonly scope: readonly string[];
  /** Columns or expressions after the scope, as `pg_get_indexdef` writes them. */
  readonly keys: readonly string[];
  /**
   * Columns of few values that an index may have before the keys. PostgreSQL 18 skips from value to value; older
   * versions read the merchant's part of the index, which is small because equal entries share their keys.
   */
  readonly may_follow: readonly string[];
  /** Whether queries read the keys in descending order. */
  readonly descending: boolean;
  /** Nullable column; an index may omit rows in which it is null. */
  readonly nullable?: string;
  /** Whether a new index omits rows with null. Only for columns that no list is sorted by. */
  readonly sparse: boolean;
}

/** A table that a definition requires. The server may add columns and indexes of its own. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly ColumnSchema[];
  readonly primary_key: readonly string[];
  readonly foreign_keys: readonly ForeignKeySchema[];
  readonly indexes: readonly IndexSchema[];
  /** Tables or views that join the related types. */
  readonly join_tables: readonly string[];
}
