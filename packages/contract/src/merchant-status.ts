import type { ErrorCode } from './errors.ts';

/** Enforcement actions of operators, the most severe first. */
export const enforcementActions = ['ban', 'quarantine'] as const;
export type EnforcementAction = (typeof enforcementActions)[number];

/**
 * Status of a merchant in a mode.
 *
 * - `unapproved`: live mode before the operator's approval.
 * - `quarantined`: no new payments; existing payments continue.
 * - `banned`: read access only.
 */
export type MerchantStatus = 'unapproved' | 'active' | 'quarantined' | 'banned';

export interface MerchantStatusFacts {
  readonly mode: 'live' | 'sandbox';
  /** Whether the operator has approved the merchant for live payments. */
  readonly approved: boolean;
  /** The most severe enforcement action in force in this mode. */
  readonly action: EnforcementAction | undefined;
}

/** Status from the approval and the enforcement actions. The sandbox needs no approval. */
export function merchantStatusOf({ mode, approved, action }: MerchantStatusFacts): MerchantStatus {
  if (action === 'ban') return 'banned';
  if (action === 'quarantine') return 'quarantined';
  return mode === 'live' && !approved ? 'unapproved' : 'active';
}

/** Error for new payments, by merchant status. */
export const refusals: Readonly<
  Record<Exclude<MerchantStatus, 'active'>, { readonly code: ErrorCode; readonly detail: string }>
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
      'The operator has banned this merchant. Its payments, refunds, alerts, red flags and enforcementActions can still be read. Write to the operator.',
  },
};

/** Types that a banned merchant can read: its payments and refunds, and the reasons of the ban. */
export const readWhileBanned: ReadonlySet<string> = new Set([
  'payment_demands',
  'refund_demands',
  'merchants',
  'account_alerts',
  'red_flags',
  'merchant_punitive_actions',
]);
