import { type ErrorCode, type ProblemError, problem } from '@florin/contract/errors.ts';
import { limitsWithin, platformLimits } from '@florin/contract/risk/amounts.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';

/** Throws 422 if a payment is outside the limits of its currency. */
export function checkAmount({ settings }: RequestContext, row: Row): void {
  const currency = row.amount_currency as string;
  const merchantLimits = settings.amount_limits?.get(currency);
  const { min_cents, max_cents } = limitsWithin(platformLimits(currency), merchantLimits);
  const amount = Number(row.amount_cents);
  if (amount < min_cents) throw refusalOf('too_small', 'at least', min_cents);
  if (amount > max_cents) throw refusalOf('too_large', 'at most', max_cents);
}

/** Same as `checkAmount` for an update; checks only if amount or currency changes. */
export function checkChangedAmount(ctx: RequestContext, row: Row, columns: Row): void {
  if ('amount_cents' in columns || 'amount_currency' in columns) {
    checkAmount(ctx, { ...row, ...columns });
  }
}

const refusalOf = (code: ErrorCode, boundName: string, limit: number): ProblemError =>
  problem(
    code,
    `amount_cents must be ${boundName} ${limit} minor units of this currency.`,
    { pointer: '/data/attributes/amount_cents' },
    { meta: { limit } },
  );
