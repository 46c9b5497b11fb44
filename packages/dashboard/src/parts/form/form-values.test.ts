import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { decimalOf, minorUnitsOf } from './amounts.ts';
import { initialValues, writableFields, writtenValues } from './form-values.ts';

describe('amounts', () => {
  it.each([
    ['24.99', 'USD', 2499],
    ['24,9', 'EUR', 2490],
    ['1 000', 'JPY', 1000],
    ['1.234', 'BHD', 1234],
    ['0.1', 'usd', 10],
  ])('are read as they are typed: %s %s', (text, currency, cents) => {
    expect(minorUnitsOf(text, currency)).toBe(cents);
    expect(minorUnitsOf(decimalOf(cents, currency), currency)).toBe(cents);
  });

  it.each([
    ['24.999', 'USD'],
    ['1.5', 'JPY'],
    ['-1', 'USD'],
    ['1e3', 'USD'],
    ['', 'USD'],
  ])('are not guessed: %s %s', (text, currency) => {
    expect(minorUnitsOf(text, currency)).toBeUndefined();
  });
});

const payment = writableFields(resources.payment_demands.fields, 'create');

describe('a form of a definition', () => {
  it('says what was typed, and nothing of what was left empty', () => {
    const values = {
      ...initialValues(payment),
      amount_cents: '24.99',
      amount_currency: 'USD',
      line_items: [{ name: 'Rose', quantity: '2', amount_cents: '1.5', amount_currency: 'USD' }],
      metadata: [{ name: 'shop', value: '7' }],
      tax_detail: { tax_cents: '0.5', tax_currency: '' },
    };
    expect(writtenValues(payment, values, { before: initialValues(payment) }).attributes).toEqual({
      amount_cents: 2499,
      amount_currency: 'USD',
      line_items: [{ name: 'Rose', quantity: 2, amount_cents: 150, amount_currency: 'USD' }],
      metadata: { shop: '7' },
      tax_detail: { tax_cents: 50 },
    });
  });

  it('says of a record only what was changed, and null where it was emptied', () => {
    const record = { amount_cents: 500, amount_currency: 'USD', description: 'Tea' };
    const before = initialValues(payment, record);
    expect(before.amount_cents).toBe('5.00');
    const { attributes } = writtenValues(payment, { ...before, description: ' ' }, { before });
    expect(attributes).toEqual({ description: null });
  });

  it('names amounts that are none', () => {
    const values = { amount_currency: 'USD', line_items: [{ amount_cents: 'much' }] };
    expect(writtenValues(payment, values).wrong).toEqual(['line_items.0.amount_cents']);
  });

  it.each(Object.values(resources))('of $type begins and ends with nothing', ({ fields }) => {
    const writable = writableFields(fields, 'update');
    const before = initialValues(writable);
    expect(writtenValues(writable, before, { before })).toEqual({ attributes: {}, wrong: [] });
  });
});
