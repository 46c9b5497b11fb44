import { brandOf } from '@florin/contract/card/networks.ts';
import type { TransStatus } from '@florin/contract/protocol/network.ts';

interface Indicators {
  readonly authenticated: string;
  readonly attempted: string;
  readonly informational: string;
  readonly none: string;
}

/** Electronic commerce indicators: Mastercard counts up from 00, the other networks down from 07. */
const mastercardIndicators: Indicators = {
  authenticated: '02',
  attempted: '01',
  informational: '06',
  none: '00',
};
const defaultIndicators: Indicators = {
  authenticated: '05',
  attempted: '06',
  informational: '07',
  none: '07',
};

const kindByStatus: Readonly<Partial<Record<TransStatus, keyof Indicators>>> = {
  Y: 'authenticated',
  A: 'attempted',
  I: 'informational',
};

/** Indicator of a card's network for a status. Without a status: the indicator of a card that is not enrolled. */
export function indicatorOf(number: string, status?: TransStatus): string {
  const indicators = brandOf(number) === 'mastercard' ? mastercardIndicators : defaultIndicators;
  return indicators[(status && kindByStatus[status]) ?? 'none'];
}
