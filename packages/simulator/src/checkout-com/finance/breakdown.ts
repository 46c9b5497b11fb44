import { decimalsOf } from '../money-rules.ts';
import type { NewMovement } from './movement-books.ts';

/** Amounts have eight decimals in reports, which one minor unit or one percent does not fill. */
const DECIMALS = 8;
const UNIT = 10n ** BigInt(DECIMALS);
const PER_MILLION = 1_000_000n;

/** One row of a movement. `amount` counts 10⁻⁸ of the currency's major unit; debits are negative. */
export interface BreakdownRow {
  readonly type: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly isFee: boolean;
}

interface Fee {
  readonly type: string;
  /** Millionths of the moved amount. */
  readonly rate?: bigint;
  /** In 10⁻⁸ of the major unit. */
  readonly fixed?: bigint;
}

const captureFees: readonly Fee[] = [
  { type: 'Interchange Variable Fee', rate: 2_000n },
  { type: 'Scheme Variable Fee', rate: 345n },
  { type: 'Gateway Fixed Fee', fixed: (UNIT * 8n) / 100n },
];
const refundFees: readonly Fee[] = [{ type: 'Refund Fixed Fee', fixed: (UNIT * 15n) / 100n }];

const feesByType: Readonly<Record<string, readonly Fee[]>> = {
  Authorization: [{ type: 'Authorization Fixed Fee', fixed: (UNIT * 25n) / 1000n }],
  'Card Verification': [{ type: 'Card Verification Fixed Fee', fixed: (UNIT * 25n) / 1000n }],
  Capture: captureFees,
  'Partial Capture': captureFees,
  Refund: refundFees,
  'Partial Refund': refundFees,
};

/** Rows of a movement: its amount, then its fees. `gross` replaces the amount by the lines of a file. */
export function breakdownOf(
  movement: NewMovement,
  gross: readonly Pick<NewMovement, 'amount' | 'currency'>[] = [movement],
): BreakdownRow[] {
  const { type, breakdown, currency } = movement;
  const amount = fineAmountOf(movement);
  const fees = (feesByType[type] ?? []).map((fee) => ({
    type: fee.type,
    amount: -(
      (fee.fixed ?? 0n) +
      ((amount < 0n ? -amount : amount) * (fee.rate ?? 0n)) / PER_MILLION
    ),
    currency,
    isFee: true,
  }));
  if (breakdown === null) return fees;
  const rows = gross.map((line) => ({
    type: breakdown,
    amount: fineAmountOf(line),
    currency: line.currency,
    isFee: false,
  }));
  return [...rows, ...fees];
}

const fineAmountOf = ({ amount, currency }: Pick<NewMovement, 'amount' | 'currency'>): bigint =>
  BigInt(amount) * 10n ** BigInt(DECIMALS - decimalsOf(currency));

/** Decimal text in major units with two to eight decimals, such as `-0.00862155`. */
export function decimalText(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0{1,6}$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${fraction}`;
}
