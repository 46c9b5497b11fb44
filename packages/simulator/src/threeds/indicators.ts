import { brandOf } from '@florin/contract/card/networks.ts';
import type { TransStatus } from '@florin/contract/protocol/network.ts';

interface Indicators {
  readonly authenticated: string;
  readonly attempted: string;
  readonly informational: string;
  readonly not: string;
}

/** Electronic commerce indicators: Mastercard counts up from 00, the other networks down from 07. */
const mastercard: Indicators = {
  authenticated: '02',
  attempted: '01',
  informational: '06',
  not: '00',
};
const defaultIndicators: Indicators = {
  authenticated: '05',
  attempted: '06',
  informational: '07',
  not: '07',
};

const kinds: Readonly<Partial<Record<TransStatus, keyof Indicators>>> = {
  Y: 'authenticated',
  A: 'attempted',
  I: 'informational',
};

/** Indicator of a card's network for a status. Without a status: the indicator of a card that is not enrolled. */
export function indicatorOf(number: string, status?: TransStatus): string {
  const of = brandOf(number) === 'mastercard' ? mastercard : defaultIndicators;
  return of[(status && kinds[status]) ?? 'not'];
}
