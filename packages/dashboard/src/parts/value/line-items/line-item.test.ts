import { describe, expect, it } from 'vitest';
import { areLineItems, type LineItem, lineItemsText, lineSums } from './line-item.ts';

const rose: LineItem = {
  name: 'Rose',
  sku: 'R-1',
  unit_of_measure: null,
  description: '',
  quantity: 3,
  amount_cents: 500,
  amount_currency: 'USD',
  tax_cents: null,
  discount_cents: null,
};

describe('a line item', () => {
  it('costs its price times its quantity', () => {
    expect(lineSums(rose)).toEqual({ total: 1500n, discount: 0n, tax: 0n });
  });

  it('has the discount of each unit taken off, and the tax of each unit beside it', () => {
    const item = { ...rose, discount_cents: 50, tax_cents: 20 };
    expect(lineSums(item)).toEqual({ total: 1350n, discount: 150n, tax: 60n });
  });

  it('is exact beyond the safe integers', () => {
    const many = { ...rose, quantity: 1_000_000, amount_cents: 99_999_999_999 };
    expect(lineSums(many).total).toBe(99_999_999_999_000_000n);
  });

  it('is named by its description or its article number where it has no name', () => {
    const nameless = { ...rose, name: null };
    const described = { ...nameless, description: 'Red, long' };
    expect(lineItemsText([rose, described, nameless])).toBe('3 × Rose, 3 × Red, long, 3 × R-1');
  });

  it.each([[[]], [null], ['text'], [[{ quantity: 1 }]], [[null]]])('is not %j', (value) => {
    expect(areLineItems(value)).toBe(false);
  });
});
