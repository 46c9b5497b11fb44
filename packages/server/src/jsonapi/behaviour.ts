import type { MerchantSettings, RequestingKey } from '../platform/caller.ts';
import type { IdempotencyKey } from '../platform/database/idempotency.ts';
import type { Row } from '../platform/database/row.ts';
import type { Scope } from '../platform/database/scope.ts';
import type { Micros } from '../platform/time/clock.ts';
import type { IfMatch } from './etag.ts';
import type { JsonObject } from './parse-document/json-body.ts';

/** Whether the caller may read a sensitive field of a type. Other readable fields are always returned. */
export type IsVisible = (type: string, field: string) => boolean;

/** Caller, scope and time of a request. Made once per request from its key. */
export interface RequestContext {
  readonly scope: Scope;
  now(): Micros;
  readonly request_id: string;
  /** Public origin of the API, without a trailing slash. Links begin with it. */
  readonly base_url: string;
  /** Permission slugs `<group>.<type>.<action>`; `all`: every permission of the merchant. */
  readonly permissions: ReadonlySet<string> | 'all';
  /** Throws if the caller may not change an attribute that both modes share. Absent: the caller may. */
  readonly requireLiveRights?: (attribute: string) => void;
  /** The API key of the caller; absent for a signed-in person. */
  readonly key?: RequestingKey;
  /** Membership of the signed-in person, or of the creator of the caller's key; absent without one. */
  readonly membership_id?: string | undefined;
  /** Set for a customer; absent if the caller is the merchant or acts in its name. */
  readonly asked_by?: 'customer';
  readonly isVisible?: IsVisible;
  readonly settings: MerchantSettings;
  /** Profile URIs that the client requests. */
  readonly profiles?: ReadonlySet<string>;
  /** Record versions that `If-Match` accepts; absent: any version. */
  readonly if_match?: IfMatch;
  /** Updates only: throws if the locked row differs from read-only members of the document. */
  readonly requireUnchanged?: (row: Row) => void;
  /** The `Idempotency-Key` header of a write. */
  readonly idempotency_key?: string;
  /** Idempotency key to store in the transaction of the write. */
  readonly idempotency?: IdempotencyKey;
}

/** Checked and normalised values of a write, by member name. Contains only members that the client sent. */
export interface WriteInput {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** To-one: the target's id, or null to clear the relationship. To-many: the targets' ids. */
  readonly relationships: Readonly<Record<string, string | readonly string[] | null>>;
  /** Updates only: read-only members as sent. The record must already have these values. */
  readonly read_only?: ReadOnlyMembers;
  /** Updates only: checked values sent under old names that differ from those of the new names, by new name. */
  readonly old_values?: Readonly<Record<string, unknown>>;
}

/** Attribute values and relationship objects by member name, unchecked. */
export interface ReadOnlyMembers {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, JsonObject>>;
}

/** A type's own rule for creates with the same `idempotency_key` attribute. */
export interface Repeat {
  /** Whether the repeated create matches the earlier record. */
  isSame(input: WriteInput, earlier: Row): boolean;
  /** Error for a create that does not match the earlier record. */
  conflictError(): Error;
}

/** Write side of one resource type. Each function stores the change and returns the changed row. */
export interface Behaviour {
  /** `record` is the complete new row, defaults applied. */
  create?(ctx: RequestContext, input: WriteInput, record: Row): Promise<Row>;
  /** `columns` holds only the changed columns. */
  update?(ctx: RequestContext, id: string, input: WriteInput, columns: Row): Promise<Row>;
  readonly actions?: Readonly<
    Record<string, (ctx: RequestContext, id: string, input: WriteInput) => Promise<Row>>
  >;
  /** Row that must be equal in creates with the same key. Includes derived values but no random ones. */
  comparedRow?(record: Row): Row;
  /** Whether a `shown_once` field showed this value for the row. If absent, no field did. */
  wasShown?(row: Row, field: string, value: unknown): boolean;
  /** If absent, repeated requests match when their documents are equal. */
  readonly repeat?: Repeat;
}

export type Behaviours = Readonly<Record<string, Behaviour>>;
