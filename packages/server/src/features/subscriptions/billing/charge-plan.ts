import type { BillingReason } from '@florin/contract/resources/billing-reasons.ts';
import type { Period } from './schedule.ts';

/** A charge that is to be made. */
export interface ChargePlan {
  readonly period: Period;
  /** What that costs, in minor units. */
  readonly amount: number;
  /** What of it credit has paid, in minor units; less than 0 where something was owed. */
  readonly credit_used: number;
  readonly reason: BillingReason;
  /** What the period is worth once a change is paid, in minor units; other charges cost what theirs is worth. */
  readonly worth?: number;
  /** What was taken off the amount of a change for time that is paid for and not used, in minor units. */
  readonly unused?: number;
}
