import type { CommonTextName } from '@florin/contract/common-texts.ts';
import type { Row } from '../../platform/database/row.ts';
import { microsOf } from '../../platform/time/clock.ts';

/** A purchased item. Amounts in minor units. */
export interface ReceiptItem {
  readonly name: string;
  readonly quantity: number;
  /** Price of one unit. */
  readonly amount_cents: number;
}

/** A surcharge, or a deduction if negative. `label` is the name of its text. */
export interface ReceiptSum {
  readonly label: CommonTextName;
  readonly amount_cents: number;
}

/** Lines of a receipt. Items and sums add up to the paid amount. */
export interface ReceiptLines {
  readonly items: readonly ReceiptItem[];
  readonly sums: readonly ReceiptSum[];
  /** Tax that the total includes. Undefined if one of `sums` is the tax. */
  readonly tax_included?: number;
}

/**
 * Lines of a succeeded payment. Lists the merchant's items if they add up to the paid amount;
 * otherwise the payment is one line.
 * A charge for part of a period, or for a change, shows the share of the remaining time.
 */
export function receiptLines(charge: Row): ReceiptLines {
  const credit_used = Number(charge.credit_used_cents ?? 0);
  const cost = Number(charge.amount_captured_cents) + credit_used;
  const { items, sums, ...tax } = isProrated(charge)
    ? changeLines(charge, cost)
    : wholeAmountLines(charge, cost);
  return { items, sums: [...sums, ...creditLines(credit_used)], ...tax };
}

const isProrated = ({ billing_reason }: Row): boolean =>
  billing_reason === 'change' || billing_reason === 'proration';

/**
 * Line of the receipt for credit in minor units. Negative credit is the sum of earlier amounts below
 * the minimum charge, which this charge collects.
 */
const creditLines = (credit_used: number): ReceiptSum[] =>
  sumLines(
    'credit_used',
    -Math.max(credit_used, 0),
    sumLines('owed_before', -Math.min(credit_used, 0)),
  );

const sumLines = (
  label: CommonTextName,
  amount_cents: number,
  otherSums: readonly ReceiptSum[] = [],
): ReceiptSum[] => [...(amount_cents === 0 ? [] : [{ label, amount_cents }]), ...otherSums];

/**
 * Lines of a charge for a change. A period that begins with the change is charged in full; a
 * running period, for its remaining time.
 */
function changeLines(charge: Row, cost: number): ReceiptLines {
  const unusedCents = Number(charge.unused_time_cents ?? 0);
  const credit = sumLines('unused_time', -unusedCents);
  const [start, createdAt] = [charge.period_start_at, charge.created_at].map(
    (at) => at && microsOf(at),
  );
  const beginsWithChange = unusedCents > 0 && start === createdAt;
  return beginsWithChange
    ? { items: [singleItemOf(charge, cost + unusedCents)], sums: credit }
    : { items: [], sums: sumLines('rest_of_period', cost + unusedCents, credit) };
}

interface Item {
  readonly name?: string | null;
  readonly quantity: number;
  readonly amount_cents: number;
  readonly tax_cents?: number | null;
  readonly discount_cents?: number | null;
}

const itemsOf = ({ line_items }: Row): readonly Item[] =>
  parseJson<readonly Item[]>(line_items) ?? [];

const parseJson = <T>(text: string | null | undefined): T | null =>
  text ? JSON.parse(text) : null;

/** Name of a purchase: the merchant's description, or else the names of its items. */
export function nameOf(row: Row): string | undefined {
  const itemNames = itemsOf(row).flatMap(({ name }) => name || []);
  return row.description || itemNames.join(', ') || undefined;
}

const singleItemOf = (row: Row, amount_cents: number): ReceiptItem => ({
  name: nameOf(row) ?? row.purchase_reference ?? '',
  quantity: 1,
  amount_cents,
});

function wholeAmountLines(row: Row, cost: number): ReceiptLines {
  const purchaseDetails = purchaseDetailsOf(row);
  const { shipping, tax, discount } = purchaseDetails;
  const remainingCents = cost - purchaseDetails.amount - shipping + discount;
  const sums = sumLines('discount', -discount, sumLines('shipping', shipping));
  const isListed = purchaseDetails.items.length > 0;
  if (isListed && remainingCents === tax)
    return { items: purchaseDetails.items, sums: [...sums, ...sumLines('tax', tax)] };
  const includedTax = tax > 0 && tax < cost ? { tax_included: tax } : {};
  return isListed && remainingCents === 0
    ? { items: purchaseDetails.items, sums, ...includedTax }
    : { items: [singleItemOf(row, cost)], sums: [], ...includedTax };
}

/** The merchant's details of a purchase. Tax and discount default to the sums over the items. */
function purchaseDetailsOf(row: Row) {
  const items = itemsOf(row);
  const sumOf = (centsOf: (item: Item) => number | null | undefined): number =>
    items.reduce((sum, item) => sum + item.quantity * (centsOf(item) ?? 0), 0);
  const { shipping_cents } = parseJson<{ shipping_cents?: number }>(row.shipping_detail) ?? {};
  const { tax_cents } = parseJson<{ tax_cents?: number }>(row.tax_detail) ?? {};
  return {
    items: items.map(({ name, quantity, amount_cents }) => ({
      name: name ?? '',
      quantity,
      amount_cents,
    })),
    amount: sumOf(({ amount_cents }) => amount_cents),
    shipping: shipping_cents ?? 0,
    tax: tax_cents || sumOf((item) => item.tax_cents),
    discount: Number(row.discount_cents ?? 0) || sumOf((item) => item.discount_cents),
  };
}
