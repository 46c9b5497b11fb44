/** A line item of a purchase. Amounts are per unit, in minor units. */
export interface LineItem {
  readonly id?: string;
  readonly name: string | null;
  readonly sku: string | null;
  readonly unit_of_measure: string | null;
  readonly description: string | null;
  readonly quantity: number;
  readonly amount_cents: number;
  readonly amount_currency: string;
  readonly tax_cents: number | null;
  readonly discount_cents: number | null;
}

/** Whether a value is a list of line items that has at least one. */
export const areLineItems = (value: unknown): value is readonly LineItem[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((it) => Number.isInteger(it?.quantity) && Number.isInteger(it?.amount_cents));

/** Returns a line item's name, or what else describes it. Undefined if nothing does. */
export const lineItemName = ({ name, description, sku }: LineItem): string | undefined =>
  name || description || sku || undefined;

/** Sums of one line, in minor units. Products of large quantities exceed safe integers. */
export interface LineSums {
  /** Price times quantity, without the discount. */
  readonly total: bigint;
  readonly discount: bigint;
  readonly tax: bigint;
}

export function lineSums({
  quantity,
  amount_cents,
  discount_cents,
  tax_cents,
}: LineItem): LineSums {
  const times = (cents: number | null) => BigInt(quantity) * BigInt(cents ?? 0);
  const discount = times(discount_cents);
  return { total: times(amount_cents) - discount, discount, tax: times(tax_cents) };
}

/** Line items in one line of text: `2 × Rose, 1 × Vase`. */
export const lineItemsText = (items: readonly LineItem[]): string =>
  items.map((item) => `${item.quantity} × ${lineItemName(item) ?? '–'}`).join(', ');
