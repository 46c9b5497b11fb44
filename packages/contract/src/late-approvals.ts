/** Merchant's setting for an approval that is found long after its response was lost. */
export const lateApprovals = ['capture', 'reverse'] as const;
export type LateApprovals = (typeof lateApprovals)[number];
