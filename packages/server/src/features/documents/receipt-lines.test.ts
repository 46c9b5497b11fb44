import { expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { type ReceiptLines, receiptLines } from './receipt-lines.ts';

const at = '2026-11-21 12:00:00+00';
const roseItem = { name: 'Rose', quantity: 5, amount_cents: 480, tax_cents: 0, discount_cents: 0 };
const chargeRow = (
  columns: Row & { items?: never } = {},
  items: readonly object[] = [roseItem],
): Row => ({
  amount_captured_cents: '2500',
  description: 'Roses',
  line_items: JSON.stringify(items),
  tax_detail: '{"tax_cents":100}',
  created_at: at,
  ...columns,
});

/** Receipt lines as one text. */
const textOf = ({ items, sums, tax_included }: ReceiptLines): string =>
  [
    ...items.map(({ name, quantity, amount_cents }) => `${quantity} ${name} ${amount_cents}`),
    ...sums.map(({ label, amount_cents }) => `${label} ${amount_cents}`),
    ...(tax_included ? [`(tax ${tax_included})`] : []),
  ].join(', ');

const changeColumns = { billing_reason: 'change', amount_captured_cents: '1500', tax_detail: null };

const cases: readonly (readonly [string, Row, string])[] = [
  ['with tax beside the items', chargeRow(), '5 Rose 480, tax 100'],
  [
    'with shipping and a discount',
    chargeRow({ discount_cents: '50', shipping_detail: '{"shipping_cents":50}' }),
    '5 Rose 480, discount -50, shipping 50, tax 100',
  ],
  ['with tax in the prices', chargeRow({ amount_captured_cents: '2400' }), '5 Rose 480, (tax 100)'],
  [
    'with tax and discount of each item',
    chargeRow({ tax_detail: null }, [{ ...roseItem, tax_cents: 40, discount_cents: 20 }]),
    '5 Rose 480, discount -100, tax 200',
  ],
  [
    'of which the merchant noted something else than was paid',
    chargeRow({ amount_captured_cents: '1234' }),
    '1 Roses 1234, (tax 100)',
  ],
  ['without items', chargeRow({ tax_detail: null }, []), '1 Roses 2500'],
  [
    'that credit has paid a part of',
    chargeRow({ amount_captured_cents: '2000', credit_used_cents: '500' }),
    '5 Rose 480, tax 100, credit_used -500',
  ],
  [
    'with what was owed',
    chargeRow({ amount_captured_cents: '2505', credit_used_cents: '-5' }),
    '5 Rose 480, tax 100, owed_before 5',
  ],
  [
    'for the rest of a period at a higher price',
    chargeRow({
      ...changeColumns,
      unused_time_cents: '1250',
      period_start_at: '2026-11-06 12:00:00+00',
    }),
    'rest_of_period 2750, unused_time -1250',
  ],
  [
    'for another period, which credit has paid a part of',
    chargeRow({
      ...changeColumns,
      unused_time_cents: '1250',
      credit_used_cents: '250',
      period_start_at: at,
    }),
    '1 Roses 3000, unused_time -1250, credit_used -250',
  ],
  [
    'for a change of which it is not known what was unused',
    chargeRow({ ...changeColumns, period_start_at: '2026-11-06 12:00:00+00' }),
    'rest_of_period 1500',
  ],
  [
    'for a part of the first period',
    chargeRow({ billing_reason: 'proration', amount_captured_cents: '777', period_start_at: at }),
    'rest_of_period 777',
  ],
];

it.each(cases)('a payment %s adds up', (_what, row, expected) => {
  const lines = receiptLines(row);
  expect(textOf(lines)).toBe(expected);
  const itemTotals = lines.items.map(({ quantity, amount_cents }) => quantity * amount_cents);
  const sumAmounts = lines.sums.map(({ amount_cents }) => amount_cents);
  const sum = [...itemTotals, ...sumAmounts].reduce((so_far, one) => so_far + one, 0);
  expect(sum).toBe(Number(row.amount_captured_cents));
});
