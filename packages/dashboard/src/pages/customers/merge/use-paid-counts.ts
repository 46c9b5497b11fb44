import type { CustomerFigures } from '@florin/contract/customer-figures.ts';
import { useDashboard } from '../../../api/queries.ts';

/** Payments of a customer with captured money. */
export interface PaidCount {
  readonly count: number;
  readonly isMinimum: boolean;
}

interface PaidCounts {
  /** Payments of the customer of the page; undefined for a person who may not read payments. */
  readonly own: PaidCount | undefined;
  /** Payments of the other customer. */
  readonly other: PaidCount | undefined;
  readonly isLoading: boolean;
}

/** Counts the payments of two customers, once the other one is chosen. */
export function usePaidCounts(customer: string, other: string): PaidCounts {
  const enabled = other !== '';
  const ownFigures = useDashboard<CustomerFigures>(`customers/${customer}/figures`, { enabled });
  const otherFigures = useDashboard<CustomerFigures>(`customers/${other}/figures`, { enabled });
  return {
    own: countOf(ownFigures.data),
    other: countOf(otherFigures.data),
    isLoading: ownFigures.isLoading || otherFigures.isLoading,
  };
}

const countOf = (figures: CustomerFigures | undefined): PaidCount | undefined =>
  figures?.payments && { count: figures.payments.paid, isMinimum: figures.payments.is_minimum };
