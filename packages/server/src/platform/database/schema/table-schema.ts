/** A column as a definition requires it. */
export interface ColumnSchema {
  readonly name: string;
  /** As `format_type` writes it; an added column gets this type. */
  readonly type: string;
  /** Other types that hold every value. */
  readonly accepted: readonly string[];
  readonly not_null: boolean;
  /** Whether a record may be created without a value for the column. */
  readonly optional: boolean;
  /** SQL literal for rows that exist when the column is added. */
  readonly default?: string;
  /** The closed set of values that a CHECK enforces. */
  readonly values?: readonly string[];
}

export interface ForeignKeySchema {
  readonly columns: readonly string[];
  readonly table: string;
  /** The referenced key. */
  readonly target: readonly string[];
}

/** An index that a query needs. */
export interface IndexSchema {
  readonly name: string;
  /** The field or relation that the index serves, as the definition names it. */
  readonly serves: string;
  /** Columns that scope every query of the table; an index may omit the mode. */
  readonly scope: readonly string[];
  /** Columns or expressions after the scope, as `pg_get_indexdef` writes them. */
  readonly keys: readonly string[];
  /** Whether queries read the keys from their end. */
  readonly descending: boolean;
  /** A nullable column: an index may omit the rows where it is null. */
  readonly nullable?: string;
  /** Whether a new index omits null rows: for columns that nothing is sorted by. */
  readonly sparse: boolean;
}

/** A table as a definition requires it. Further columns and indexes are the server's own. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly ColumnSchema[];
  readonly primary_key: readonly string[];
  readonly foreign_keys: readonly ForeignKeySchema[];
  readonly indexes: readonly IndexSchema[];
  /** Tables or views that join the relations. */
  readonly pairs: readonly string[];
}
