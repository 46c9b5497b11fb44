import type { Micros } from '../../kernel/clock.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import type { Row } from '../../store/row.ts';

interface LineItem {
  readonly amount_currency: string;
  readonly tax_currency: string | null;
  readonly discount_currency: string | null;
}

/** The columns with each line item as it is kept: with an id, and with tax and discount in a currency, its amount's unless said. */
export function withLineItems(columns: Row, now: Micros): Row {
  if (!columns.line_items) return columns;
  const items = JSON.parse(columns.line_items) as LineItem[];
  return { ...columns, line_items: JSON.stringify(items.map((item) => completed(item, now))) };
}

const completed = (item: LineItem, now: Micros) => ({
  id: uuidv7(now),
  ...item,
  tax_currency: item.tax_currency ?? item.amount_currency,
  discount_currency: item.discount_currency ?? item.amount_currency,
});
