import type { PaymentStateFacts } from './payment-state.ts';
import { incompleteStates } from './payment-tabs.ts';

/** Shortest text that the dashboard's search accepts, in characters. */
export const SEARCH_TEXT_MIN = 3;
/** Longest text that the dashboard's search accepts, in characters. */
export const SEARCH_TEXT_MAX = 100;

/** Values that a search of payments compares its text with. A short text is no part of a name or reference. */
export type PaymentSearchKind = 'id' | 'name' | 'last_four' | 'amount' | 'reference';

/** Member `search` of the `meta` of payments that a search found. */
export interface PaymentSearchMeta {
  readonly by: readonly PaymentSearchKind[];
  /** Whether no more payments match than the list has. */
  readonly is_complete: boolean;
}

/** Results of each type, unless the caller asks for more. */
export const SEARCH_HITS = 5;
/** Most results of each type that a caller can ask for. Matching records are counted up to this number. */
export const SEARCH_HITS_MAX = 100;

/** A record that the dashboard's search found. Members that a type does not have are null. */
export interface SearchHit {
  readonly type: string;
  readonly id: string;
  /** Name of the record, or of its payer; of an event its type and slug. Null if the caller may not read it. */
  readonly title: string | null;
  /** Email address, reference, or kind of the record. */
  readonly detail: string | null;
  readonly status: string | null;
  /** Facts that decide the state of a payment for people. */
  readonly payment: PaymentStateFacts | null;
  /** Minor units, as text. */
  readonly amount_cents: string | null;
  readonly amount_currency: string | null;
  readonly last_four: string | null;
  readonly created_at: string | null;
}

/** States of records that are found, but that the list of their type hides. */
const hiddenStates: Readonly<Record<string, readonly string[]>> = {
  customers: ['merged'],
  payment_demands: incompleteStates,
};

/** Whether the list of the hit's type shows it. Lists hide merged customers and incomplete payments. */
export const isListedHit = ({ type, status }: Pick<SearchHit, 'type' | 'status'>): boolean =>
  status === null || !hiddenStates[type]?.includes(status);

/** Number of records of a type that match, and that the list of the type shows. */
export interface SearchTotal {
  /** At most `SEARCH_HITS_MAX`. */
  readonly count: number;
  /** Whether there may be more. */
  readonly is_minimum: boolean;
}

/** Results of the dashboard's search, by type, newest first. */
export interface SearchResults {
  readonly hits: readonly SearchHit[];
  /** Matching records by type. A type without results is missing. */
  readonly totals: Readonly<Record<string, SearchTotal>>;
  /** Types whose search reached its time limit: more of their records may match. */
  readonly incomplete: readonly string[];
}
