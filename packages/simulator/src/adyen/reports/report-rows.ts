import { linesOf } from '../../settlement.ts';
import { isoUnitsOf } from '../money-rules.ts';
import type { AdyenMovementType, Movement } from './movement-books.ts';

/** Parts of a fee in the processor's minor units. Either `commission` or the other three are filled. */
export interface Fees {
  readonly commission?: number;
  readonly markup?: number;
  readonly schemeFees?: number;
  readonly interchange?: number;
}

/** Row of a settlement report before it is written. `gross` is absent for rows of a whole batch. */
export interface ReportRow {
  readonly type: string;
  readonly movement?: Movement;
  readonly currency: string;
  readonly gross?: number;
  /** Money to the merchant if positive, from the merchant if negative. */
  readonly net: number;
  readonly fees: Fees;
}

const CREDITS: readonly AdyenMovementType[] = ['Settled', 'RefundedReversed', 'ChargebackReversed'];
const CHARGEBACKS: readonly AdyenMovementType[] = ['Chargeback', 'SecondChargeback'];
/** Fees in millionths of the amount, and in minor units a row. */
const COMMISSION_PPM = 14_000;
const MARKUP_PPM = 6_000;
const SCHEME_PPM = 1_000;
const INTERCHANGE_PPM = 2_000;
const REFUND_FEE = 10;
const CHARGEBACK_FEE = 1_500;
const ROW_FEE = 2;

/** Rows of a batch: movements, one fee of each currency, a row of an unknown type if asked for, and payouts. */
export function rowsOf(
  movements: readonly Movement[],
  { isBlended, unknownType }: { readonly isBlended: boolean; readonly unknownType?: string },
): ReportRow[] {
  const moved = movements.flatMap((movement) => rowsOfMovement(movement, isBlended));
  const currencies = [...new Set(moved.map(({ currency }) => currency))];
  const costs = currencies.flatMap((currency): ReportRow[] => {
    const count = moved.filter((row) => row.currency === currency).length;
    const fee = { type: 'Fee', currency, net: -count * ROW_FEE, fees: {} };
    return unknownType ? [fee, { ...fee, type: unknownType, net: -1 }] : [fee];
  });
  const rows = [...moved, ...costs];
  return [...rows, ...currencies.map((currency) => payoutOf(rows, currency))];
}

/** Last row of a currency: the payout, or the debt that the next batch takes over. */
function payoutOf(rows: readonly ReportRow[], currency: string): ReportRow {
  const sum = rows
    .filter((row) => row.currency === currency)
    .reduce((total, { net }) => total + net, 0);
  return { type: sum < 0 ? 'BalanceTransfer' : 'MerchantPayout', currency, net: -sum, fees: {} };
}

/** Rows of a movement. Florin's sandbox amounts for settlement make errors: less, missing, twice, other currency. */
function rowsOfMovement(movement: Movement, isBlended: boolean): ReportRow[] {
  const { type, amount: value, currency: own } = movement;
  const isoUnits = isoUnitsOf({ value, currency: own });
  const unit = isoUnits === 0 ? 1 : value / isoUnits;
  return linesOf({ amount: isoUnits, currency: own }, undefined).map(({ amount, currency }) => {
    const gross = amount * unit;
    const fees = feesOf(type, gross, isBlended);
    const sum = Object.values(fees).reduce((total: number, fee: number) => total + fee, 0);
    const signed = CREDITS.includes(type) ? gross : -gross;
    return { type, movement, currency, gross, net: signed - sum, fees };
  });
}

function feesOf(type: AdyenMovementType, gross: number, isBlended: boolean): Fees {
  if (CHARGEBACKS.includes(type)) return { markup: CHARGEBACK_FEE };
  if (type === 'Refunded') return isBlended ? { commission: REFUND_FEE } : { markup: REFUND_FEE };
  if (type !== 'Settled') return {};
  if (isBlended) return { commission: partOf(gross, COMMISSION_PPM) };
  return {
    markup: partOf(gross, MARKUP_PPM),
    schemeFees: partOf(gross, SCHEME_PPM),
    interchange: partOf(gross, INTERCHANGE_PPM),
  };
}

const partOf = (amount: number, ppm: number): number => Math.round((amount * ppm) / 1_000_000);
