interface Disputed {
  readonly status: string;
  readonly amount_cents: number;
  readonly amount_currency: string;
}

/** Minor units of disputes in one currency. */
export interface DisputeSum {
  readonly currency: string;
  readonly cents: number;
  /** Part of disputes that are lost or accepted. */
  readonly lost_cents: number;
}

/** Sums disputes by currency, in the order of their first dispute. */
export function sumDisputes(disputes: readonly Disputed[]): readonly DisputeSum[] {
  const currencies = [...new Set(disputes.map(({ amount_currency }) => amount_currency))];
  return currencies.map((currency) => {
    const own = disputes.filter(({ amount_currency }) => amount_currency === currency);
    return { currency, cents: sumOf(own), lost_cents: sumOf(own.filter(isLost)) };
  });
}

const isLost = ({ status }: Disputed): boolean => status === 'lost' || status === 'accepted';

const sumOf = (disputes: readonly Disputed[]): number =>
  disputes.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
