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

/** The other amount that the processor approved, such as `4200 USD` in minor units; undefined without one. */
export function approvedAmountOf({ codes }: Row): string | undefined {
  if (!codes) return undefined;
  return (JSON.parse(codes) as Readonly<Record<string, string>>)[APPROVED_AMOUNT];
}

/**
 * Leaves an approval of another amount or currency than the attempt's to an operator: the price may have changed after a
 * restored time. Results that tell no amount stay as they are. Pure.
 */
export function ofExpectedAmount<Result extends PricedResult>(
  attempt: Row,
  result: Result,
): Result | OtherAmount {
  const { money, processor_reference, codes } = result;
  const isOpen = isIn(attempt, 'sending', 'unknown') && !attempt.abandoned_at;
  if (result.result !== 'approved' || !money || !isOpen || attempt.amount_cents == null)
    return result;
  const { amount, currency } = money;
  if (String(amount) === attempt.amount_cents && currency === attempt.amount_currency)
    return result;
  const approved = `${amount} ${currency}`;
  return {
    result: 'unresolved',
    why: `the processor approved ${approved} in minor units`,
    next: 'operator',
    ...(processor_reference && { processor_reference }),
    codes: withApprovedAmount(codes, approved),
  };
}
