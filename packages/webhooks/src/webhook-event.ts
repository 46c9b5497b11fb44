import type { EventAttributes, Snapshots } from './events.ts';

/** Event codes: `transaction.payment_demands.succeeded`. */
export type EventCode = keyof Snapshots;

/** The event of one code. */
export interface EventOf<C extends EventCode> {
  /**
   * `resource_type` and `slug` joined, as in webhook subscriptions. Added by this package; the body has no such member.
   */
  readonly code: C;
  /** The same on every attempt: receivers skip ids that they have seen. */
  readonly id: string;
  readonly type: 'events';
  readonly attributes: EventAttributes & {
    /** Snapshot of the record at the time of the event. */
    readonly data: Snapshots[C];
  };
  readonly relationships: {
    readonly merchant: { readonly data: { readonly type: 'merchants'; readonly id: string } };
  };
}

/** Any event. `switch (event.code)` tells them apart; a newer Florin may send further codes. */
export type WebhookEvent = { [C in EventCode]: EventOf<C> }[EventCode];
