/** Whose rows a query may see: one merchant's, in one mode. */
export interface Scope {
  readonly merchant_id: string;
  readonly mode: 'live' | 'sandbox';
}
