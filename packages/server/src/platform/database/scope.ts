import type { Row } from './row.ts';

/** Merchant and mode whose rows a query may read. */
export interface Scope {
  readonly merchant_id: string;
  readonly mode: 'live' | 'sandbox';
}

/** Scope of a row that has a mode. */
export const scopeOf = ({ merchant_id, mode }: Row): Scope => ({
  merchant_id: merchant_id as string,
  mode: mode as Scope['mode'],
});

/** Text key for a merchant and mode. */
export const scopeText = ({ merchant_id, mode }: Row | Scope): string => `${merchant_id} ${mode}`;
