/** What an entry of a list matches in a payment. */
export const riskListKinds = ['card', 'email', 'email_domain', 'bin', 'country'] as const;
export type RiskListKind = (typeof riskListKinds)[number];

/** `block` refuses what matches, `allow` lets it pass limits of velocity and scores. */
export const riskLists = ['block', 'allow'] as const;
export type RiskList = (typeof riskLists)[number];

/** Entries that count, of one merchant and mode. */
export const RISK_LIST_ENTRIES_MAX = 500;
