import type { EventAttributes, Snapshots } from './events.ts';

/** What can happen: `transaction.payment_demands.succeeded`. */
export type EventCode = keyof Snapshots;

/** The event of one code. */
export interface EventOf<C extends EventCode> {
  /** `resource_type` and `slug` in one, as webhook subscriptions list it. Made of these here: the body has no such member. */
  readonly code: C;
  /** The same on every attempt: receivers leave out what they have seen. */
  readonly id: string;
  readonly type: 'events';
  readonly attributes: EventAttributes & {
    /** The record as it was then. */
    readonly data: Snapshots[C];
  };
  readonly relationships: {
    readonly merchant: { readonly data: { readonly type: 'merchants'; readonly id: string } };
  };
}

/** Any event. `switch (event.code)` tells them apart; a Florin that is newer may send codes that are not among these. */
export type WebhookEvent = { [C in EventCode]: EventOf<C> }[EventCode];
