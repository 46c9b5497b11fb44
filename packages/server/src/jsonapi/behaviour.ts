import type { AskingKey, MerchantSettings } from '../platform/caller.ts';
import type { IdempotencyKey } from '../platform/database/idempotency.ts';
import type { Row } from '../platform/database/row.ts';
import type { Scope } from '../platform/database/scope.ts';
import type { Micros } from '../platform/time/clock.ts';
import type { IfMatch } from './etag.ts';
import type { JsonObject } from './parse-document/json-body.ts';

/**
 * Whether the caller may read a sensitive field of a type. Other readable fields are always shown.
 */
export type Visible = (type: string, field: string) => boolean;

/** Caller, scope and time of a request. Made once per request from its key. */
export interface RequestContext {
  readonly scope: Scope;
  now(): Micros;
  readonly request_id: string;
  /** Public origin of the interface, without a trailing slash. Links begin with it. */
  readonly base_url: string;
  /** Slugs `<group>.<type>.<action>`, or all permissions of the merchant. */
  readonly permissions: ReadonlySet<string> | 'all';
  /** Absent if the caller is a signed-in person. */
  readonly key?: AskingKey;
  /** Absent if the caller is the merchant, or acts in its name. */
  readonly asked_by?: 'customer';
  readonly visible?: Visible;
  readonly settings: MerchantSettings;
  /** URIs of the profiles that the client requests. */
  readonly profiles?: ReadonlySet<string>;
  /** Versions of the record that `If-Match` allows; absent: any. */
  readonly if_match?: IfMatch;
  /** Updates only: throws if the locked row differs from the document's read-only members. */
  readonly unchanged?: (row: Row) => void;
  /** The `Idempotency-Key` header of a write. */
  readonly idempotency_key?: string;
  /** Key that the behaviour stores in the transaction of a repeatable write. */
  readonly idempotency?: IdempotencyKey;
}

/** Checked, normalised values of a write by wire name. Contains only what the client sent. */
export interface WriteInput {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The id of a to-one target, null to clear it; the ids of to-many targets. */
  readonly relationships: Readonly<Record<string, string | readonly string[] | null>>;
  /** Updates only: read-only members as sent. The record must already have these values. */
  readonly read_only?: ReadOnlySent;
}

/** Attribute values and relationship objects by wire name, both unchecked. */
export interface ReadOnlySent {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, JsonObject>>;
}

/** A type's own rule for creates that repeat an `idempotency_key`. */
export interface Repeat {
  /** Whether the repeated create matches the earlier record. */
  same(input: WriteInput, earlier: Row): boolean;
  /** The error for a create that differs. */
  conflict(): Error;
}

/** Write side of one resource type. Each function stores the change and returns the changed row. */
export interface Behaviour {
  /** `record` is the complete new row, defaults applied. */
  create?(ctx: RequestContext, input: WriteInput, record: Row): Promise<Row>;
  /** `columns` holds the changed columns alone. */
  update?(ctx: RequestContext, id: string, input: WriteInput, columns: Row): Promise<Row>;
  readonly actions?: Readonly<
    Record<string, (ctx: RequestContext, id: string, input: WriteInput) => Promise<Row>>
  >;
  /**
   * Row that is compared between creates with one key: includes derived values, but no random ones.
   */
  meaning?(record: Row): Row;
  /**
   * Whether a `shown_once` field showed this value for the row. Without this function, none did.
   */
  wasShown?(row: Row, field: string, value: unknown): boolean;
  /** Without this rule, repeated requests match if their documents are equal. */
  readonly repeat?: Repeat;
}

export type Behaviours = Readonly<Record<string, Behaviour>>;
