/**
 * The vocabulary in which every resource type is described. A definition is data: routes, validation,
 * filters, serialisers, OpenAPI and the expected table are all made from it.
 */

/** What a value of a field looks like on the wire and how it is checked. */
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
  /** What its name and type do not say: units, and when it is set. May have `code` in backticks. */
  readonly description?: string;
  /** Never null in a record, though no create has to set it. */
  readonly always_set?: true;
  /** The closed set of an `enum`, of the members of `strings`, or of a read-only `string`, whose filters take no others. */
  readonly values?: readonly string[];
  /** What each member of `strings` is, where it is not any text. */
  readonly each?: 'currency';
  /** What a `string` must match as a whole. */
  readonly pattern?: RegExp;
  /** Shortest text, fewest members, or smallest number that is accepted. */
  readonly min?: number;
  /** Longest text, most members, or largest number that is accepted. */
  readonly max?: number;
  /** Whether a create may set it. Absent means it may not. */
  readonly create?: 'required' | 'optional';
  /** Whether an update may set it. */
  readonly update?: true;
  /** Value of a record that was created without it. */
  readonly default?: string | number | boolean | readonly string[];
  /** The members of an `object`, or of each of `objects`. */
  readonly members?: Readonly<Record<string, Field>>;
  /** The column that holds it, where that is not the field's own name. */
  readonly column?: string;
  /** Never logged; never filterable or sortable. */
  readonly sensitive?: true;
  /** Of a sensitive field: it is stored sealed, and opened for those it is served to. */
  readonly sealed?: true;
  /** Accepted on a write, never served. */
  readonly write_only?: true;
  /** Served, but neither filterable nor sortable. */
  readonly opaque?: true;
  /** Not stored: served in the answer to its create, null ever after. */
  readonly shown_once?: true;
  /** Of `meta`: it shows this list for the value of its column, and not the value. */
  readonly shows?: Readonly<Record<string, readonly string[]>>;
  /** Of what `shows` a list: its members that are left out of it while a column of the record is 0, with that column. */
  readonly unless_zero?: Readonly<Record<string, string>>;
  /** Served as 0 while a column has none of these values: what is stored counts again once it has one. */
  readonly zero_unless?: { readonly column: string; readonly values: readonly string[] };
  /** A boolean column until whose truth the field is left out of the record. */
  readonly absent_until?: string;
  /** What in its text is served as `…` to callers without the permission. Of an opaque field, so that no filter tells it. */
  readonly masks?: { readonly pattern: RegExp; readonly unless: string };
  /** It shows a record of another type, the one whose events' scope this column holds: null to who may not read that. */
  readonly snapshot_of?: string;
}

export interface Relation {
  /** Type of the related resource. */
  readonly to: string;
  /** What its name does not say. May have `code` in backticks. */
  readonly description?: string;
  /** A collection, found through `inverse` on the other type, or through a table of pairs. */
  readonly many?: true;
  /** Name of the to-one relation of the other type that points back. */
  readonly inverse?: string;
  /** The table of pairs of a many-to-many relation, and its columns for this record and the related one. */
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
  /** When it is possible and what it changes. May have `code` in backticks. */
  readonly description?: string;
  /** What its document may say, if it is sent one; without them attributes of the document count for nothing. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** It has to say something. */
  readonly needs_fields?: true;
}

export interface Resource {
  readonly type: string;
  readonly summary: string;
  /** `merchant` rows carry a merchant and are seen by it alone; `mode` rows belong to live or sandbox as well. */
  readonly owner: 'mode' | 'merchant' | 'platform';
  /** A row of the platform that only those merchants see which have a row of this to-many relation, with `set` not null. */
  readonly seen_through?: { readonly relation: string; readonly set: string };
  /**
   * How many of them a merchant may have, in each mode where they have one: so few that a filter may read
   * them all. A create beyond it is `limit_reached` (422).
   */
  readonly few?: number;
  /** The timestamp from which on a record is out of use: not counted among the `few`, and no other can be made to point to it. */
  readonly ended?: string;
  /** First part of the permission slug `<group>.<type>.<action>`. */
  readonly group: 'consumer' | 'banking' | 'developer' | 'transaction' | 'user' | 'billing';
  readonly operations: readonly OperationName[];
  readonly actions?: Readonly<Record<string, Action>>;
  readonly fields: Readonly<Record<string, Field>>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** Members of the resource object's `meta`; one that is null is left out. */
  readonly meta?: Readonly<Record<string, Field>>;
  /** Rows that the lists of the type leave out, by one value of a field: `{ status: 'archived' }`. A fetch finds them. */
  readonly unlisted?: Readonly<Record<string, string>>;
  /** The `resource_type` of its events and their slugs. */
  readonly events?: { readonly scope: string; readonly slugs: readonly string[] };
}

/** Declares a resource type and keeps the literal types of its parts. */
export const defineResource = <const R extends Resource>(resource: R): R => resource;

/** The two timestamps that nearly every type carries. */
export const timestamps = {
  created_at: { type: 'timestamp', description: 'When it was made.' },
  updated_at: { type: 'timestamp', description: 'When it last changed.' },
} as const satisfies Record<string, Field>;
