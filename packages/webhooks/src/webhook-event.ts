import type { EventAttributes, Snapshots } from './events.ts';

/** Event codes, such as `transaction.payment_demands.succeeded`. */
export type EventCode = keyof Snapshots;

/** The event of one code, with the record it shows. */
export interface EventOf<C extends EventCode> {
  /**
   * `resource_type` and `slug` joined, as in webhook subscriptions. Added by this package; the body has no such member.
   */
  readonly code: C;
  /** Same id on every delivery attempt: receivers skip ids that they have processed. */
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

/** Any event. `switch (event.code)` narrows the type. A newer Florin may send further codes. */
export type WebhookEvent = { [C in EventCode]: EventOf<C> }[EventCode];
