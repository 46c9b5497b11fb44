import { type PayoutLineKind, payoutLineSigns } from '@florin/contract/ledger.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Minor units of a line: `net` is `gross` less `fee`. */
export interface LineAmounts {
  readonly gross: bigint;
  readonly fee: bigint;
  readonly net: bigint;
}

export const NO_AMOUNTS: LineAmounts = { gross: 0n, fee: 0n, net: 0n };

/** Amounts of a transfer of a payout, with the fee of a settled payment. */
export function amountsOf({ kind, amount_cents, fee_cents }: Row): LineAmounts {
  const amount = BigInt(amount_cents ?? 0);
  if (kind === 'fee') return { gross: 0n, fee: amount, net: -amount };
  const gross = BigInt(payoutLineSigns[kind as PayoutLineKind]) * amount;
  const fee = BigInt(fee_cents ?? 0);
  return { gross, fee, net: gross - fee };
}

export const plusAmounts = (sum: LineAmounts, line: LineAmounts): LineAmounts => ({
  gross: sum.gross + line.gross,
  fee: sum.fee + line.fee,
  net: sum.net + line.net,
});
