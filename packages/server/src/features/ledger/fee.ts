import type { Row } from '../../platform/database/row.ts';

const BASIS_POINTS = 10_000n;

/** Default fee plan: 4 % and 5 minor units. */
const DEFAULT_PLAN = { basis_points: '400', fixed_cents: '5' } as const;

/** A payment's columns that store its fee plan. */
export const feeColumns = ({
  basis_points = DEFAULT_PLAN.basis_points,
  fixed_cents = DEFAULT_PLAN.fixed_cents,
}: Row = {}): Row => ({ fee_basis_points: basis_points, fee_fixed_cents: fixed_cents });

/**
 * Fee of a payment of `amount_cents`, in minor units: a percentage, rounded half up, plus a fixed
 * part. At most the amount.
 */
export function feeOf(
  amount_cents: string,
  { fee_basis_points = '0', fee_fixed_cents = '0' }: Row,
): string {
  const amount = BigInt(amount_cents);
  const percentageCents =
    (amount * BigInt(fee_basis_points ?? 0) * 2n + BASIS_POINTS) / (BASIS_POINTS * 2n);
  const fee = percentageCents + BigInt(fee_fixed_cents ?? 0);
  return String(fee < amount ? fee : amount);
}
