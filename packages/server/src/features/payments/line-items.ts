import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Micros } from '../../platform/time/clock.ts';

interface LineItem {
  readonly id?: string;
  readonly amount_cents: number;
  readonly amount_currency: string;
  readonly tax_currency: string | null;
  readonly discount_cents: number | null;
  readonly discount_currency: string | null;
}

/**
 * Line items for storage, with ids. Tax and discount without a currency get the currency of the
 * amount.
 */
export const withLineItems = (columns: Row, now: Micros): Row =>
  mapItems(columns, (item) => ({ id: uuidv7(now), ...completeItem(item) }));

/**
 * Line items of an update of `row`. Items that the client sends with their id keep it. Throws 422
 * for unknown ids, because only the server creates ids.
 */
export function changedItems(row: Row, columns: Row, now: Micros): Row {
  const knownIds = new Set(itemsOf(row).map(({ id }) => id));
  const problems = itemsOf(columns).flatMap(({ id }, at) =>
    id === undefined || knownIds.delete(id) ? [] : [foreignId(at)],
  );
  if (problems.length > 0) throw new ProblemError(problems);
  return withLineItems(columns, now);
}

const foreignId = (at: number): Problem => ({
  code: 'read_only',
  detail: 'The record has no line item with this id. Leave the id of a new line item out.',
  source: { pointer: `/data/attributes/line_items/${at}/id` },
});

/** Line items with defaults, to compare two requests. */
export const withCurrencies = (columns: Row): Row => mapItems(columns, completeItem);

function mapItems(columns: Row, change: (item: LineItem) => object): Row {
  if (!columns.line_items) return columns;
  const items = JSON.parse(columns.line_items) as LineItem[];
  return { ...columns, line_items: JSON.stringify(items.map(change)) };
}

const completeItem = (item: LineItem): LineItem => ({
  ...item,
  tax_currency: item.tax_currency ?? item.amount_currency,
  discount_currency: item.discount_currency ?? item.amount_currency,
});

/** Columns of a purchase that must agree with each other. */
const purchaseColumns = ['amount_currency', 'line_items', 'shipping_detail', 'tax_detail'] as const;

/** Same as `checkPurchase` for an update; checks only if one of the columns changes. */
export function checkChangedPurchase(row: Row, columns: Row): void {
  if (purchaseColumns.some((column) => column in columns)) checkPurchase({ ...row, ...columns });
}

/**
 * Throws 422 with one error for each part in another currency than the purchase, and for each
 * discount above its price.
 */
export function checkPurchase(row: Row): void {
  const currency = row.amount_currency as string;
  const problems = [
    ...itemsOf(row).flatMap((item, at) => itemProblems(item, at, currency)),
    ...(['shipping', 'tax'] as const).flatMap((part) => detailProblems(row, part, currency)),
  ];
  if (problems.length > 0) throw new ProblemError(problems);
}

const itemsOf = ({ line_items }: Row): LineItem[] =>
  line_items ? (JSON.parse(line_items) as LineItem[]) : [];

function itemProblems(item: LineItem, at: number, currency: string): Problem[] {
  const members = ['amount_currency', 'tax_currency', 'discount_currency'] as const;
  const foreignMembers = members.filter((member) => item[member] !== currency);
  const path = `line_items/${at}`;
  const problems = foreignMembers.map((member) => foreignCurrency(`${path}/${member}`));
  if ((item.discount_cents ?? 0) <= item.amount_cents) return problems;
  return [...problems, tooLargeDiscount(`${path}/discount_cents`)];
}

function detailProblems(row: Row, part: 'shipping' | 'tax', currency: string): Problem[] {
  const detail = JSON.parse(row[`${part}_detail`] ?? '{}') as Record<string, string | null>;
  const member = `${part}_currency`;
  const partCurrency = detail[member] ?? currency;
  return partCurrency === currency ? [] : [foreignCurrency(`${part}_detail/${member}`)];
}

const foreignCurrency = (path: string): Problem => ({
  code: 'invalid',
  detail: 'All amounts of a purchase must be in its amount_currency.',
  source: { pointer: `/data/attributes/${path}` },
});

const tooLargeDiscount = (path: string): Problem => ({
  code: 'too_large',
  detail: 'discount_cents must be at most amount_cents of the line item.',
  source: { pointer: `/data/attributes/${path}` },
});
