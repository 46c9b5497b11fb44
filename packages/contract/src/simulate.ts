/** Seconds for which the simulated network reports a late approval as undecided. */
export const SIMULATED_APPROVAL_DELAY_SECONDS = 65;
/** Days after an approval in which a dispute can be simulated. */
const DISPUTE_DAYS_MAX = 365;
const DAY_SECONDS = 24 * 60 * 60;

/** Scheduled effect of a simulated approval: a late notification (`told`) or a dispute. */
export type ScheduledEffect = 'told' | 'disputed';

/** Scheduled effect of an approval with this simulation, and its delay in seconds. */
export function scheduledEffectOf(simulate = ''): readonly [ScheduledEffect, number] | undefined {
  if (simulate === 'late_approval') return ['told', SIMULATED_APPROVAL_DELAY_SECONDS];
  const days = /^dispute_after:(\d{1,3})$/.exec(simulate)?.[1];
  const isDispute = days !== undefined && Number(days) <= DISPUTE_DAYS_MAX;
  return isDispute ? ['disputed', Number(days) * DAY_SECONDS] : undefined;
}

/** Maximum number of parts of an approval that one simulation can dispute. */
const PARTS_MAX = 5;

/** Parts of an approval that the payer disputes right after the capture, each in minor units. */
export function disputedPartsOf(simulate = ''): readonly number[] {
  const amountTexts =
    /^disputes:([1-9]\d{0,11}(?:,[1-9]\d{0,11})*)$/.exec(simulate)?.[1]?.split(',') ?? [];
  return amountTexts.length <= PARTS_MAX ? amountTexts.map(Number) : [];
}
