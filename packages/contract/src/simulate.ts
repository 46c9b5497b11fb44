/** How long the simulated network says of a late approval that it is not decided yet. */
export const LATE_APPROVAL_SECONDS = 65;
/** How many days after an approval a dispute of it can be asked for. */
const DISPUTE_DAYS_MAX = 365;
const DAY_SECONDS = 24 * 60 * 60;

/** What an approval asks for that comes later: to be told of, or to be disputed. */
export type Later = 'told' | 'disputed';

/** What is to happen after an approval that asks for it, and how many seconds after it. */
export function laterOf(simulate = ''): readonly [Later, number] | undefined {
  if (simulate === 'late_approval') return ['told', LATE_APPROVAL_SECONDS];
  const days = /^dispute_after:(\d{1,3})$/.exec(simulate)?.[1];
  const isDispute = days !== undefined && Number(days) <= DISPUTE_DAYS_MAX;
  return isDispute ? ['disputed', Number(days) * DAY_SECONDS] : undefined;
}

/** Parts of an approval that can be disputed at once. */
const PARTS_MAX = 5;

/** Minor units of each part that the payer disputes as soon as the approval that asks for it is captured. */
export function disputedPartsOf(simulate = ''): readonly number[] {
  const parts =
    /^disputes:([1-9]\d{0,11}(?:,[1-9]\d{0,11})*)$/.exec(simulate)?.[1]?.split(',') ?? [];
  return parts.length <= PARTS_MAX ? parts.map(Number) : [];
}
