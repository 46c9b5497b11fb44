import type { CurrencyFigures, Figures } from '@florin/contract/overview.ts';
import type { PaymentSum, RefundSum } from './sql.ts';

/**
 * Calculates figures per currency from daily sums. The currency with the most payments comes first.
 */
export function figuresOf(
  payments: readonly PaymentSum[],
  refunds: readonly RefundSum[],
): CurrencyFigures[] {
  const currencies = [...new Set([...payments, ...refunds].map(({ currency }) => currency))];
  return currencies
    .map((currency) => ofCurrency(currency, ofOne(payments, currency), ofOne(refunds, currency)))
    .toSorted((a, b) => countOf(b) - countOf(a) || (a.currency < b.currency ? -1 : 1));
}

const ofOne = <Row extends { readonly currency: string }>(
  rows: readonly Row[],
  wantedCurrency: string,
): Row[] => rows.filter(({ currency }) => currency === wantedCurrency);

const countOf = ({ approved, declined, refunds }: Figures): number => approved + declined + refunds;

function ofCurrency(
  currency: string,
  payments: readonly PaymentSum[],
  refunds: readonly RefundSum[],
): CurrencyFigures {
  const days = [...new Set([...payments, ...refunds].map(({ day }) => day))].toSorted();
  const sumsOn = <S extends { readonly day: string }>(sums: readonly S[], wantedDay: string): S[] =>
    sums.filter(({ day }) => day === wantedDay);
  return {
    currency,
    ...sum(payments, refunds),
    days: days.map((day) => ({ day, ...sum(sumsOn(payments, day), sumsOn(refunds, day)) })),
    declines: declinesOf(payments),
  };
}

function sum(payments: readonly PaymentSum[], refunds: readonly RefundSum[]): Figures {
  const declined = payments.filter(({ failure_reason }) => failure_reason !== null);
  const approved = payments.filter(({ failure_reason }) => failure_reason === null);
  return {
    approved: sumOf(approved.map((sum) => sum.payments)),
    declined: sumOf(declined.map((sum) => sum.payments)),
    volume_cents: totalOf(approved.map((sum) => sum.captured_cents)),
    refunds: sumOf(refunds.map((sum) => sum.refunds)),
    refunded_cents: totalOf(refunds.map((sum) => sum.refunded_cents)),
  };
}

function declinesOf(payments: readonly PaymentSum[]): CurrencyFigures['declines'] {
  const counts = new Map<string, number>();
  for (const { failure_reason, payments: count } of payments) {
    if (failure_reason === null) continue;
    counts.set(failure_reason, (counts.get(failure_reason) ?? 0) + count);
  }
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const totalOf = (cents: readonly string[]): string =>
  String(cents.reduce((sum, amount) => sum + BigInt(amount), 0n));
