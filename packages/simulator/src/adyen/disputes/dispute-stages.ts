export type AdyenDisputeStatus =
  | 'Unresponded'
  | 'Responded'
  | 'Expired'
  | 'Undefended'
  | 'Accepted'
  | 'Pending'
  | 'Lost'
  | 'Won';

export const adyenDisputeStatuses: readonly AdyenDisputeStatus[] = [
  'Unresponded',
  'Responded',
  'Expired',
  'Undefended',
  'Accepted',
  'Pending',
  'Lost',
  'Won',
];

/** Effect of a dispute's event: its usual status, and the type of the money movement that it causes. */
export interface DisputeStage {
  readonly status: AdyenDisputeStatus;
  readonly movement?: 'Chargeback' | 'ChargebackReversed' | 'SecondChargeback';
  /** Whether Adyen leaves out `originalReference` without the account's setting for it. */
  readonly isBare?: boolean;
}

/** Events of disputes. */
export const disputeStages = {
  REQUEST_FOR_INFORMATION: { status: 'Unresponded' },
  INFORMATION_SUPPLIED: { status: 'Responded' },
  NOTIFICATION_OF_CHARGEBACK: { status: 'Undefended' },
  CHARGEBACK: { status: 'Undefended', movement: 'Chargeback' },
  CHARGEBACK_REVERSED: { status: 'Pending', movement: 'ChargebackReversed', isBare: true },
  SECOND_CHARGEBACK: { status: 'Lost', movement: 'SecondChargeback', isBare: true },
  DISPUTE_DEFENSE_PERIOD_ENDED: { status: 'Expired' },
  ISSUER_COMMENTS: { status: 'Pending' },
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { status: 'Won' },
  PREARBITRATION_OPEN: { status: 'Undefended', isBare: true },
  PREARBITRATION_ACCEPTED: { status: 'Accepted', isBare: true },
  PREARBITRATION_DECLINED: { status: 'Responded', isBare: true },
  PREARBITRATION_ISSUER_WITHDRAWN: { status: 'Won', isBare: true },
  PREARBITRATION_WON: { status: 'Won', isBare: true },
  PREARBITRATION_LOST: { status: 'Lost', isBare: true },
  SCHEME_ARBITRATION: { status: 'Pending' },
  SCHEME_ARBITRATION_WON: { status: 'Won' },
  SCHEME_ARBITRATION_LOST: { status: 'Lost' },
} as const satisfies Readonly<Record<string, DisputeStage>>;

export type DisputeEventCode = keyof typeof disputeStages;

export const isDisputeEventCode = (code: unknown): code is DisputeEventCode =>
  typeof code === 'string' && Object.hasOwn(disputeStages, code);
