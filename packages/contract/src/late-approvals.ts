/** Merchant setting for an approval that is found long after the response was lost. */
export const lateApprovals = ['capture', 'reverse'] as const;
export type LateApprovals = (typeof lateApprovals)[number];
