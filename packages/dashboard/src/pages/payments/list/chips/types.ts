import type { Parameters } from '../../../../api/queries.ts';

/** Address of the list, and a function that changes it. */
export interface ChipProps {
  readonly search: Parameters;
  readonly change: (changes: Parameters) => void;
}

export const STATUS = 'filter[status]';
export const METHOD = 'filter[payment_method.kind]';
export const CURRENCY = 'filter[amount_currency]';
export const MIN = 'filter[amount_cents][gte]';
export const MAX = 'filter[amount_cents][lte]';
