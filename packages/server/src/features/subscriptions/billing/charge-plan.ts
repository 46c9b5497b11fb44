import type { BillingReason } from '@florin/contract/resources/billing-reasons.ts';
import type { Period } from './schedule.ts';

/** Charge to be made. */
export interface ChargePlan {
  readonly period: Period;
  /** Price of the charge in minor units. */
  readonly amount: number;
  /** Part that credit pays, in minor units; negative if an earlier amount is owed. */
  readonly credit_used: number;
  readonly reason: BillingReason;
  /**
   * Value of the period after a paid change, in minor units. For other charges the value is the
   * price.
   */
  readonly worth?: number;
  /** Part that a change deducts for unused paid time, in minor units. */
  readonly unused?: number;
}
