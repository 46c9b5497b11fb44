import type { BillingReason } from '@florin/contract/resources/billing-reasons.ts';
import type { Period } from './schedule.ts';

/** A charge that is to be made. */
export interface ChargePlan {
  readonly period: Period;
  /** Cost in minor units. */
  readonly amount: number;
  /** Part paid by credit, in minor units; negative if an amount was owed. */
  readonly credit_used: number;
  readonly reason: BillingReason;
  /**
   * Value of the period after a paid change, in minor units; other charges cost their period's
   * value.
   */
  readonly worth?: number;
  /** Deduction from a change for paid, unused time, in minor units. */
  readonly unused?: number;
}
