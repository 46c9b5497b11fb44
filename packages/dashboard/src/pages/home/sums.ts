import type { CurrencyFigures } from '@florin/contract/overview.ts';
import type { PaymentSum } from '@florin/contract/payment-sums.ts';
import type { Span } from './span.ts';

/** Sums the approved payments of a span by currency. Leaves out currencies without one. */
export const sumsOfSpan = (currencies: readonly CurrencyFigures[], span: Span): PaymentSum[] =>
  currencies.map((figures) => sumOfDays(figures, span)).filter(({ approved }) => approved > 0);

function sumOfDays({ currency, days }: CurrencyFigures, { from, to }: Span): PaymentSum {
  const inSpan = days.filter(({ day }) => day >= from && day <= to);
  return {
    currency,
    approved: inSpan.reduce((sum, { approved }) => sum + approved, 0),
    volume_cents: String(inSpan.reduce((sum, { volume_cents }) => sum + BigInt(volume_cents), 0n)),
  };
}
