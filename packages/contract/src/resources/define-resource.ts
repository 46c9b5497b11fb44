/**
 * Vocabulary of resource definitions. Routes, validation, filters, serialisers, OpenAPI and the expected table all
 * follow from a definition.
 */

/** Wire format and validation of a field's value. */
export type FieldType =
  | 'string'
  | 'integer'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'email'
  | 'phone'
  | 'url'
  | 'country'
  | 'currency'
  | 'timezone'
  | 'uuid'
  | 'slug'
  | 'enum'
  | 'strings'
  | 'object'
  | 'objects'
  | 'metadata';

export interface Field {
  readonly type: FieldType;
  /** Facts beyond name and type: units, when it is set. May have `code` in backticks. */
  readonly description?: string;
  /** Never null in a record, though creates need not set it. */
  readonly always_set?: true;
  /** Accepted values of an `enum`, of members of `strings`, or in filters of a read-only `string`. */
  readonly values?: readonly string[];
  /** Type of the members of `strings`, if they are not free text. */
  readonly each?: 'currency';
  /** Pattern for a whole `string`. */
  readonly pattern?: RegExp;
  /** Minimum text length, member count or number. */
  readonly min?: number;
  /** Maximum text length, member count or number. */
  readonly max?: number;
  /** Whether a create may set it; absent means no. */
  readonly create?: 'required' | 'optional';
  /** Whether an update may set it. */
  readonly update?: true;
  /** Value of records created without it. */
  readonly default?: string | number | boolean | readonly string[];
  /** Members of an `object`, or of each item of `objects`. */
  readonly members?: Readonly<Record<string, Field>>;
  /** Column name, if it differs from the field name. */
  readonly column?: string;
  /** Never logged; never filterable or sortable. */
  readonly sensitive?: true;
  /** For sensitive fields: stored encrypted, and decrypted only where it is served. */
  readonly sealed?: true;
  /** Accepted on a write, never served. */
  readonly write_only?: true;
  /** Served, but not filterable or sortable. */
  readonly opaque?: true;
  /** Not stored: only the response to its create contains it; null afterwards. */
  readonly shown_once?: true;
  /** For `meta`: serves this list instead of the column's value. */
  readonly shows?: Readonly<Record<string, readonly string[]>>;
  /** For `shows`: list members that are left out while a column is 0, by member. */
  readonly unless_zero?: Readonly<Record<string, string>>;
  /** Serves 0 unless a column has one of these values. The stored value is kept. */
  readonly zero_unless?: { readonly column: string; readonly values: readonly string[] };
  /** Boolean column; the field is left out of the record while it is false. */
  readonly absent_until?: string;
  /**
   * Text that callers without the permission see as `…`. The field must be opaque, so that filters do not reveal it.
   */
  readonly masks?: { readonly pattern: RegExp; readonly unless: string };
  /** Column with the event scope of a snapshot. Callers who may not read that type get null. */
  readonly snapshot_of?: string;
}

export interface Relation {
  /** Type of the related resource. */
  readonly to: string;
  /** Facts beyond the name. May have `code` in backticks. */
  readonly description?: string;
  /** To-many, through `inverse` on the other type or through a table of pairs. */
  readonly many?: true;
  /** To-one relation of the other type that points back. */
  readonly inverse?: string;
  /** Table of a many-to-many relation, with its columns for this record and the related one. */
  readonly through?: { readonly table: string; readonly from: string; readonly to: string };
  /** Whether a create may set it. */
  readonly create?: 'required' | 'optional';
  /** Whether an update may set it. */
  readonly update?: true;
}

export type OperationName = 'list' | 'fetch' | 'create' | 'update';

/** A state change with a path of its own: `PATCH /v2/<type>/{id}/<name>`. */
export interface Action {
  readonly summary: string;
  /** Preconditions and effects. May have `code` in backticks. */
  readonly description?: string;
  /** Attributes that the action accepts. Without them, attributes are ignored. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** At least one attribute is required. */
  readonly needs_fields?: true;
}

export interface Resource {
  readonly type: string;
  /** The table that holds the records, where it does not have the name of the type. */
  readonly table?: string;
  readonly summary: string;
  /** `merchant` rows are visible to their merchant only; `mode` rows also belong to live or sandbox. */
  readonly owner: 'mode' | 'merchant' | 'platform';
  /** Platform rows that a merchant sees only through a row of this to-many relation whose `set` is not null. */
  readonly seen_through?: { readonly relation: string; readonly set: string };
  /**
   * Maximum per merchant (and mode), low enough for a filter to read them all. A further create fails with
   * `limit_reached` (422).
   */
  readonly few?: number;
  /** Timestamp that ends a record: it does not count for `few`, and no new relation may point to it. */
  readonly ended?: string;
  /** First part of the permission slug `<group>.<type>.<action>`. */
  readonly group: 'consumer' | 'banking' | 'developer' | 'transaction' | 'user' | 'billing';
  readonly operations: readonly OperationName[];
  readonly actions?: Readonly<Record<string, Action>>;
  readonly fields: Readonly<Record<string, Field>>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** Members of the resource object's `meta`; null members are left out. */
  readonly meta?: Readonly<Record<string, Field>>;
  /** Rows that lists leave out, by a field's value: `{ status: 'archived' }`. A fetch still returns them. */
  readonly unlisted?: Readonly<Record<string, string>>;
  /** The `resource_type` of its events and their slugs. */
  readonly events?: { readonly scope: string; readonly slugs: readonly string[] };
}

/** Declares a resource type and preserves the literal types of its parts. */
export const defineResource = <const R extends Resource>(resource: R): R => resource;

/** Timestamps of nearly every type. */
export const timestamps = {
  created_at: { type: 'timestamp', description: 'When it was made.' },
  updated_at: { type: 'timestamp', description: 'When it last changed.' },
} as const satisfies Record<string, Field>;
