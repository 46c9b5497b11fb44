import type { SandboxAmountOf } from '@florin/contract/sandbox-amounts.ts';

const LAST_FOUR_DIGITS = 10_000;

/** Simulated error of an entry in a settlement file. */
type FileError = 'less' | 'missing' | 'twice' | 'other_currency';

/** Amounts, in minor units, whose last four digits select an error. */
const errorAmounts = {
  9709: 'less',
  9710: 'missing',
  9711: 'twice',
  9712: 'other_currency',
} as const satisfies Readonly<Record<SandboxAmountOf<'settlement'>, FileError>>;

const errorOfAmount = (amount: number): FileError | undefined =>
  (errorAmounts as Readonly<Record<number, FileError>>)[amount % LAST_FOUR_DIGITS];

/** Test code of ISO 4217, so that no caller uses the currency by mistake. */
const OTHER_CURRENCY = 'XTS';

interface SettledAmount {
  readonly amount: number;
  readonly currency: string;
}

/** Settlement file lines of one entry: zero, one or two. */
export function linesOf(
  { amount, currency }: SettledAmount,
  simulate: string | undefined,
): readonly SettledAmount[] {
  const fileError = simulate === 'settlement_mismatch' ? 'less' : errorOfAmount(amount);
  const line = { amount, currency };
  switch (fileError) {
    case 'less':
      return [{ ...line, amount: amount - 1 }];
    case 'missing':
      return [];
    case 'twice':
      return [line, line];
    case 'other_currency':
      return [{ ...line, currency: OTHER_CURRENCY }];
    default:
      return [line];
  }
}
