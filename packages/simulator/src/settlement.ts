const LAST_FOUR_DIGITS = 10_000;

/** How an entry stands in a settlement file otherwise than it should. */
type Flaw = 'less' | 'missing' | 'twice' | 'other_currency';

/** Amounts, in minor units, whose last four digits ask for a flaw. */
const flawAmounts: Readonly<Record<number, Flaw>> = {
  9709: 'less',
  9710: 'missing',
  9711: 'twice',
  9712: 'other_currency',
};

/** A currency that nobody asks for by mistake: the code for tests of ISO 4217. */
const OTHER_CURRENCY = 'XTS';

interface Settled {
  readonly amount: number;
  readonly currency: string;
}

/** What a settlement file says of an entry: one line, or none, or two. */
export function linesOf(
  { amount, currency }: Settled,
  simulate: string | undefined,
): readonly Settled[] {
  const flaw = simulate === 'settlement_mismatch' ? 'less' : flawAmounts[amount % LAST_FOUR_DIGITS];
  const line = { amount, currency };
  switch (flaw) {
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
