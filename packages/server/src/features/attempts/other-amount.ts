import type { Row } from '../../platform/database/row.ts';
import type { Money } from '../../processors/port/message.ts';
import { isIn } from './decide-outcome.ts';

/** A result that may tell an approved amount. */
interface PricedResult {
  readonly result: string;
  readonly money?: Money;
  readonly processor_reference?: string;
  readonly codes?: Readonly<Record<string, string>>;
}

/** Result in place of an approval of another amount, for an operator. */
interface OtherAmount extends Pick<PricedResult, 'processor_reference' | 'codes'> {
  readonly result: 'unresolved';
  readonly why: string;
  readonly next: 'operator';
}

/** Code of an attempt that tells the amount which the processor approved. */
const APPROVED_AMOUNT = 'approved_amount';

/** Codes of an attempt, with the amount that the processor approved, such as `4200 USD` in minor units. */
export const withApprovedAmount = (
  codes: Readonly<Record<string, string>> | undefined,
  approved: string,
): Readonly<Record<string, string>> => ({ ...codes, [APPROVED_AMOUNT]: approved });

/**
 * The other amount that the processor approved, such as `4200 USD` in minor units; undefined without one. A part of the
 * amount has a column of its own.
 */
export function approvedAmountOf({
  codes,
  approved_cents,
  amount_currency,
}: Row): string | undefined {
  const told = codes && (JSON.parse(codes) as Readonly<Record<string, string>>)[APPROVED_AMOUNT];
  return told || (approved_cents == null ? undefined : `${approved_cents} ${amount_currency}`);
}

/** Codes of a result for its attempt. Another amount that was told earlier stays. */
export function codesToStore(
  { codes: stored }: Row,
  codes: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const told = approvedAmountOf({ codes: stored ?? null });
  return told === undefined ? codes : { [APPROVED_AMOUNT]: told, ...codes };
}

/**
 * Leaves an approval of another amount or currency than the attempt's to an operator: the price may have changed after a
 * restored time. During a reversal the approval keeps its amount in its codes. Results that tell no amount stay. Pure.
 */
export function ofExpectedAmount<Result extends PricedResult>(
  attempt: Row,
  result: Result,
): Result | OtherAmount {
  const { money, processor_reference } = result;
  if (result.result !== 'approved' || !money || isAmountOf(attempt, money)) return result;
  const approved = `${money.amount} ${money.currency}`;
  const codes = withApprovedAmount(result.codes, approved);
  if (isIn(attempt, 'reversing')) return { ...result, codes };
  if (!isIn(attempt, 'sending', 'unknown') || attempt.abandoned_at) return result;
  return {
    result: 'unresolved',
    why: `the processor approved ${approved} in minor units`,
    next: 'operator',
    ...(processor_reference && { processor_reference }),
    codes,
  };
}

const isAmountOf = ({ amount_cents, amount_currency }: Row, { amount, currency }: Money): boolean =>
  amount_cents == null || (String(amount) === amount_cents && currency === amount_currency);
