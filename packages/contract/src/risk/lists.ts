/** Kinds of list entries, by the part of a payment that an entry matches. */
export const riskListKinds = ['card', 'email', 'email_domain', 'bin', 'country'] as const;
export type RiskListKind = (typeof riskListKinds)[number];

/** `block` refuses matching payments. `allow` exempts them from velocity limits and scores. */
export const riskLists = ['block', 'allow'] as const;
export type RiskList = (typeof riskLists)[number];

/** Maximum active entries per merchant and mode. */
export const RISK_LIST_ENTRIES_MAX = 500;
