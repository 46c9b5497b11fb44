import type { MerchantSettings } from '../kernel/caller.ts';
import type { Micros } from '../kernel/clock.ts';
import type { Row } from '../store/row.ts';
import type { Scope } from '../store/scope.ts';

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
  readonly visible?: Visible;
  readonly settings: MerchantSettings;
  /** The `Idempotency-Key` header of a write. */
  readonly idempotency_key?: string;
}

/** What a write asks for: checked, normalised values by wire name. Only what the client sent is present. */
export interface WriteInput {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Ids of to-one targets; null clears. */
  readonly relationships: Readonly<Record<string, string | null>>;
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
}

export type Behaviours = Readonly<Record<string, Behaviour>>;
