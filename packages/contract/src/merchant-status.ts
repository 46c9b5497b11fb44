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
      'Live mode needs the approval of the operator (active_at) and a connected payment processor. Use a sandbox key until then.',
  },
  quarantined: {
    code: 'merchant_quarantined',
    detail:
      'The operator has quarantined this merchant: new payments are refused, refunds, voids and dispute responses work. Read account_alerts and red_flags for the reason, and contact the operator.',
  },
  banned: {
    code: 'merchant_banned',
    detail:
      'The operator has banned this merchant. Only its payments, refunds, alerts, red flags and merchant_punitive_actions can be read; contact the operator.',
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
