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
