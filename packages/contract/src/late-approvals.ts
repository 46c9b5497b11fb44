/** What a merchant wants of an approval that is found long after the answer to its message was lost. */
export const lateApprovals = ['capture', 'reverse'] as const;
export type LateApprovals = (typeof lateApprovals)[number];
