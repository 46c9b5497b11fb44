import type { AskingKey, MerchantSettings } from '../platform/caller.ts';
import type { IdempotencyKey } from '../platform/database/idempotency.ts';
import type { Row } from '../platform/database/row.ts';
import type { Scope } from '../platform/database/scope.ts';
import type { Micros } from '../platform/time/clock.ts';
import type { IfMatch } from './etag.ts';
import type { JsonObject } from './parse-document/json-body.ts';

/** Whether a sensitive field of a type is shown to the caller. Other readable fields always are. */
export type Visible = (type: string, field: string) => boolean;

/** Who asks, for whose records, and when. Made once per request from its key. */
export interface RequestContext {
  readonly scope: Scope;
  now(): Micros;
  readonly request_id: string;
  /** Public origin of the interface, without a trailing slash. Links begin with it. */
  readonly base_url: string;
  /** Slugs `<group>.<type>.<action>`, or everything of the merchant. */
  readonly permissions: ReadonlySet<string> | 'all';
  /** Absent where a person asks, who has signed in. */
  readonly key?: AskingKey;
  /** Absent where it is the merchant, or somebody in its name. */
  readonly asked_by?: 'customer';
  readonly visible?: Visible;
  readonly settings: MerchantSettings;
  /** URIs of the profiles that the client asks for. */
  readonly profiles?: ReadonlySet<string>;
  /** The states in which the record of a write may be; any where the client does not say. */
  readonly if_match?: IfMatch;
  /** Of an update: throws where the locked row is not what the document says of its read-only members. */
  readonly unchanged?: (row: Row) => void;
  /** The `Idempotency-Key` header of a write. */
  readonly idempotency_key?: string;
  /** Of a write that can be repeated: what its behaviour stores in the transaction of the change. */
  readonly idempotency?: IdempotencyKey;
}

/** What a write asks for: checked, normalised values by wire name. Only what the client sent is present. */
export interface WriteInput {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The id of a to-one target, null to clear it; the ids of to-many targets. */
  readonly relationships: Readonly<Record<string, string | readonly string[] | null>>;
  /** Of an update: read-only members as they were sent. The record must have them so, and keeps them. */
  readonly read_only?: ReadOnlySent;
}

/** Values of attributes, and relationship objects, by wire name; neither is checked. */
export interface ReadOnlySent {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, JsonObject>>;
}

/** A rule of a type's own for what a create is that has the `idempotency_key` of an earlier one. */
export interface Repeat {
  /** Whether it asks for what the earlier record is. */
  same(input: WriteInput, earlier: Row): boolean;
  /** What refuses it where it asks for something else. */
  conflict(): Error;
}

/** The write side of one resource type. Each function stores the change and returns the row after it. */
export interface Behaviour {
  /** `record` is the complete new row, defaults applied. */
  create?(ctx: RequestContext, input: WriteInput, record: Row): Promise<Row>;
  /** `columns` holds the changed columns alone. */
  update?(ctx: RequestContext, id: string, input: WriteInput, columns: Row): Promise<Row>;
  readonly actions?: Readonly<
    Record<string, (ctx: RequestContext, id: string, input: WriteInput) => Promise<Row>>
  >;
  /** What a new row means, for the comparison of creates with one key: what its rules fill in, without what they make up. */
  meaning?(record: Row): Row;
  /** Whether a value is the one that a field with `shown_once` showed for this row. Without it none is. */
  wasShown?(row: Row, field: string, value: unknown): boolean;
  /** Without it, requests with one key are the same where their documents say the same. */
  readonly repeat?: Repeat;
}

export type Behaviours = Readonly<Record<string, Behaviour>>;
