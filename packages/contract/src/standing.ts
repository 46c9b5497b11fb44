import type { ErrorCode } from './errors.ts';

/** What the operator has taken against a merchant in a mode, the harder first. */
export const measures = ['ban', 'quarantine'] as const;
export type Measure = (typeof measures)[number];

/**
 * How a merchant stands in a mode. `unapproved` is in live mode until the operator has approved it; `quarantined` makes no
 * new payments, while what was paid is still looked after; `banned` may only look.
 */
export type Standing = 'unapproved' | 'active' | 'quarantined' | 'banned';

export interface StandingFacts {
  readonly mode: 'live' | 'sandbox';
  /** Whether the operator has allowed it to take payments. */
  readonly approved: boolean;
  /** The hardest measure that is in force in the mode. */
  readonly measure: Measure | undefined;
}

/** The sandbox needs no approval: it is what a merchant has while it is looked at. */
export function standingOf({ mode, approved, measure }: StandingFacts): Standing {
  if (measure === 'ban') return 'banned';
  if (measure === 'quarantine') return 'quarantined';
  return mode === 'live' && !approved ? 'unapproved' : 'active';
}

/** Why no new payment is made in a standing. */
export const refusals: Readonly<
  Record<Exclude<Standing, 'active'>, { readonly code: ErrorCode; readonly detail: string }>
> = {
  unapproved: {
    code: 'merchant_not_approved',
    detail:
      'This merchant takes no payments in live mode before the operator has approved it (active_at) and a payment processor is connected. The sandbox works meanwhile.',
  },
  quarantined: {
    code: 'merchant_quarantined',
    detail:
      'The operator holds this merchant back: no new payments are made. Records can be read, and refunds, voids and answers to disputes work. The reason is in account_alerts and red_flags; write to the operator to have it lifted.',
  },
  banned: {
    code: 'merchant_banned',
    detail:
      'The operator has banned this merchant. Its payments, refunds, alerts, red flags and measures can still be read. Write to the operator.',
  },
};

/** Of a banned merchant these can still be read: what was paid and given back, and why it is banned. */
export const readWhileBanned: ReadonlySet<string> = new Set([
  'payment_demands',
  'refund_demands',
  'merchants',
  'account_alerts',
  'red_flags',
  'merchant_punitive_actions',
]);
