/**
 * Vocabulary of resource definitions. Routes, validation, filters, serialisers, OpenAPI and the
 * expected table follow from a definition.
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
  /**
   * Facts beyond name and type, such as the unit, or when the field is set. May have `code` in
   * backticks.
   */
  readonly description?: string;
  /** Never null in a record, even if a create does not set it. */
  readonly always_set?: true;
  /**
   * Accepted values of an `enum`, of the members of `strings`, or of filters on a read-only
   * `string`.
   */
  readonly values?: readonly string[];
  /** Type of the members of `strings`. Free text if absent. */
  readonly each?: 'currency';
  /** Pattern that a `string` must match completely. */
  readonly pattern?: RegExp;
  /** Minimum text length, number of members, or number. */
  readonly min?: number;
  /** Maximum text length, number of members, or number. */
  readonly max?: number;
  /** Next step for numbers below `min` or above `max`, which ends the error's detail. */
  readonly range_hint?: string;
  /** Whether a create must or may set the field. Absent if it may not. */
  readonly create?: 'required' | 'optional';
  /** Whether an update may set the field. */
  readonly update?: true;
  /** Value of records that are created without the field. */
  readonly default?: string | number | boolean | readonly string[];
  /** Members of an `object`, or of each item of `objects`. */
  readonly members?: Readonly<Record<string, Field>>;
  /**
   * Each mode has a value of its own, in a record that both modes share. The sandbox has the column
   * `sandbox_<column>`, so a sandbox key cannot change the value of live mode.
   */
  readonly per_mode?: true;
  /** Column name, if different from the field name. */
  readonly column?: string;
  /**
   * This field is the old name of another field of the same type and column. Responses contain both; a write may
   * send either.
   */
  readonly deprecated_for?: string;
  /** Sensitive fields are never logged, filterable or sortable. */
  readonly sensitive?: true;
  /** Sensitive fields only: stored encrypted and decrypted only to be served. */
  readonly sealed?: true;
  /** Accepted on creates, and neither stored nor served: the type's behaviour reads it. */
  readonly write_only?: true;
  /** Served, but not filterable or sortable. */
  readonly opaque?: true;
  /**
   * Not stored. Only the response to the create contains the value; later responses contain null.
   */
  readonly shown_once?: true;
  /** Fields of `meta` only: the list to serve for each value of the column. */
  readonly shows?: Readonly<Record<string, readonly string[]>>;
  /** Fields with `shows` only: leaves out a member of the list while its column is 0. */
  readonly unless_zero?: Readonly<Record<string, string>>;
  /** Serves 0 unless the column has one of these values. Does not change the stored value. */
  readonly zero_unless?: { readonly column: string; readonly values: readonly string[] };
  /** Integer column that is subtracted from the served value. Fields with `column` and `opaque` only. */
  readonly less?: string;
  /** Boolean column. The record leaves out the field while the column is false. */
  readonly absent_until?: string;
  /**
   * Callers without the permission `unless` see `…` in place of text that matches `pattern`. The
   * field must be opaque, so that filters do not reveal the text.
   */
  readonly masks?: { readonly pattern: RegExp; readonly unless: string };
  /**
   * Column that names the type of a snapshot by its event scope. Callers who may not read this type
   * get null.
   */
  readonly snapshot_of?: string;
}

export interface Relation {
  /** Type of the related resource. */
  readonly to: string;
  /** Facts beyond the name. May have `code` in backticks. */
  readonly description?: string;
  /** To-many relation, through `inverse` on the other type or through a table of pairs. */
  readonly many?: true;
  /** Name of the other type's to-one relation to this type. */
  readonly inverse?: string;
  /** Table of a many-to-many relation, with the columns of this record and of the related one. */
  readonly through?: { readonly table: string; readonly from: string; readonly to: string };
  /** Whether a create must or may set the relation. */
  readonly create?: 'required' | 'optional';
  /** Whether an update may set the relation. */
  readonly update?: true;
  /**
   * The database has no foreign key. The transaction that stores a record has locked the target or a row that references
   * it, or nothing deletes the target. `ledger verify` looks for missing targets.
   */
  readonly unchecked?: true;
}

export type OperationName = 'list' | 'fetch' | 'create' | 'update';

/** A state change with a path of its own: `PATCH /v2/<type>/{id}/<name>`. */
export interface Action {
  readonly summary: string;
  /** Preconditions and effects. May have `code` in backticks. */
  readonly description?: string;
  /** Attributes that the action accepts. If absent, the action ignores attributes. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** Whether the request must have at least one attribute. */
  readonly needs_fields?: true;
}

/** Contents of records: a client uploads a file to a record of another type, and downloads it again. */
export interface Contents {
  /** Type of the records to which files belong, and the last part of the upload's path. */
  readonly parent: string;
  readonly path: string;
  /** Parameters of the upload's query. */
  readonly query: Readonly<Record<string, Field>>;
  readonly media_types: readonly string[];
  readonly bytes_max: number;
  readonly upload_summary: string;
  /** Preconditions and effects of an upload. May have `code` in backticks. */
  readonly upload_description: string;
}

export interface Resource {
  readonly type: string;
  /** This type is the old name of another type with the same table. Both are served; only the new name is listed. */
  readonly deprecated_for?: string;
  /** Table of the records, if its name differs from the type's. */
  readonly table?: string;
  readonly summary: string;
  /**
   * Rows of `merchant` are visible to their merchant only. Rows of `mode` belong to live or sandbox
   * too.
   */
  readonly owner: 'mode' | 'merchant' | 'platform';
  /**
   * Platform rows only: a merchant sees a row if it has a record in this to-many relation whose
   * column `set` is not null.
   */
  readonly seen_through?: { readonly relation: string; readonly set: string };
  /**
   * Maximum number of records per merchant and mode; a further create fails with `limit_reached`
   * (422). Low enough for a filter that reads all.
   */
  readonly few?: number;
  /**
   * Timestamp that ends a record. Ended records do not count for `few`, and no new relation may
   * point to them.
   */
  readonly ended?: string;
  /** Whether `ended` may be in the future. Otherwise any value ends the record, whatever clock it was read from. */
  readonly expires?: true;
  /** First part of the permission slug `<group>.<type>.<action>`. */
  readonly group: 'consumer' | 'banking' | 'developer' | 'transaction' | 'user' | 'billing';
  readonly operations: readonly OperationName[];
  readonly actions?: Readonly<Record<string, Action>>;
  readonly contents?: Contents;
  /** Media types of `GET /v2/<type>/{id}/content`, where the server renders the content of a record. */
  readonly rendered?: readonly string[];
  /** Other types whose fields the rendered content shows. Reading it requires their `read` permissions too. */
  readonly rendered_from?: readonly string[];
  readonly fields: Readonly<Record<string, Field>>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** Fields of the resource object's `meta`. Null members are left out. */
  readonly meta?: Readonly<Record<string, Field>>;
  /**
   * Rows that lists leave out, by a field's value: `{ status: 'archived' }`, or `SET` for any value. A fetch by id
   * returns them.
   */
  readonly unlisted?: Readonly<Record<string, string>>;
  /** Events of the type: their `resource_type` and slugs. */
  readonly events?: { readonly scope: string; readonly slugs: readonly string[] };
}

/** In `unlisted`: any value of the field. */
export const SET = 'set';

/** Declares a resource type. Preserves the literal types of its parts. */
export const defineResource = <const R extends Resource>(resource: R): R => resource;

/** Timestamps of nearly every type. */
export const timestamps = {
  created_at: { type: 'timestamp', description: 'Time of creation.' },
  updated_at: { type: 'timestamp', description: 'Time of the last change.' },
} as const satisfies Record<string, Field>;

/**
 * A field with a new name and, marked as deprecated, its old name. Both show the column of the old name. Spread it
 * into the `fields` of a definition.
 */
export const renamedField = <New extends string, Old extends string, F extends Field>(
  newName: New,
  oldName: Old,
  field: F,
) =>
  ({
    [newName]: { column: oldName, ...field },
    [oldName]: {
      ...field,
      deprecated_for: newName,
      description: `Deprecated name of \`${newName}\`.`,
    },
  }) as unknown as { readonly [Name in New | Old]: F };

/**
 * A type under its old name, marked as deprecated. The old name serves the same records at its own paths, with its
 * own permissions, and has no events.
 */
export const renamedType = <Old extends string, R extends Resource>(
  oldType: Old,
  { events: _, ...resource }: R,
) => ({
  ...resource,
  type: oldType,
  table: resource.table ?? resource.type,
  deprecated_for: resource.type,
  summary: `Deprecated name of \`${resource.type}\``,
});

/** Whether a type has no newer name. Lists for people leave out the old names. */
export const isCurrentType = ({ deprecated_for }: Resource): boolean => !deprecated_for;
