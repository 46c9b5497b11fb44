import type { Row } from './row.ts';

/** Whose rows a query may see: one merchant's, in one mode. */
export interface Scope {
  readonly merchant_id: string;
  readonly mode: 'live' | 'sandbox';
}

/** That of a row of a mode. */
export const scopeOf = ({ merchant_id, mode }: Row): Scope => ({
  merchant_id: merchant_id as string,
  mode: mode as Scope['mode'],
});

/** A text that names a merchant and mode. */
export const scopeText = ({ merchant_id, mode }: Row | Scope): string => `${merchant_id} ${mode}`;
