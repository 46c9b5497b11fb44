import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { attributesOfForm, initialValues, writableFields } from './form-values.ts';

const payment = writableFields(resources.payment_demands.fields, 'create');

describe('a form of a definition', () => {
  it('sends typed values and omits empty ones', () => {
    const values = {
      ...initialValues(payment),
      amount_cents: '24.99',
      amount_currency: 'USD',
      line_items: [{ name: 'Rose', quantity: '2', amount_cents: '1.5', amount_currency: 'USD' }],
      metadata: [{ name: 'shop', value: '7' }],
      tax_detail: { tax_cents: '0.5', tax_currency: '' },
    };
    expect(
      attributesOfForm(payment, values, { before: initialValues(payment) }).attributes,
    ).toEqual({
      amount_cents: 2499,
      amount_currency: 'USD',
      line_items: [{ name: 'Rose', quantity: 2, amount_cents: 150, amount_currency: 'USD' }],
      metadata: { shop: '7' },
      tax_detail: { tax_cents: 50 },
    });
  });

  it('sends only changed values of a record, and null for emptied ones', () => {
    const record = { amount_cents: 500, amount_currency: 'USD', description: 'Tea' };
    const before = initialValues(payment, record);
    expect(before.amount_cents).toBe('5.00');
    const { attributes } = attributesOfForm(payment, { ...before, description: ' ' }, { before });
    expect(attributes).toEqual({ description: null });
  });

  it('reports values that are no amounts, with the reason', () => {
    const line_items = [
      { amount_cents: 'much' },
      { amount_cents: '1.234' },
      { amount_cents: '1.234', amount_currency: 'KWD' },
    ];
    expect(attributesOfForm(payment, { amount_currency: 'USD', line_items })).toMatchObject({
      attributes: { line_items: [{}, {}, { amount_cents: 1234 }] },
      wrong: [
        { path: 'line_items.0.amount_cents', problem: 'not_an_amount', currency: 'USD' },
        { path: 'line_items.1.amount_cents', problem: 'too_many_digits', currency: 'USD' },
      ],
    });
  });

  it('reads no amount before its currency is chosen', () => {
    const { wrong } = attributesOfForm(payment, { amount_cents: '5', amount_currency: '' });
    expect(wrong).toEqual([{ path: 'amount_cents', problem: 'currency_first' }]);
    const change = writableFields(resources.subscription_changes.fields, 'create');
    expect(attributesOfForm(change, { amount_cents: '500' }).attributes).toEqual({
      amount_cents: 500,
    });
  });

  it('reads an amount again when its currency changes', () => {
    const before = initialValues(payment, { amount_cents: 500, amount_currency: 'KWD' });
    const values = { ...before, amount_currency: 'USD' };
    expect(attributesOfForm(payment, values, { before }).wrong).toMatchObject([
      { path: 'amount_cents', problem: 'too_many_digits' },
    ]);
    const result = attributesOfForm(payment, { ...values, amount_cents: '0.50' }, { before });
    expect(result.attributes).toEqual({ amount_cents: 50, amount_currency: 'USD' });
  });

  it("shows amounts in the person's locale", () => {
    const record = { amount_cents: 123_456, amount_currency: 'EUR' };
    const before = initialValues(payment, record, { locale: 'de-DE' });
    expect(before.amount_cents).toBe('1234,56');
    const values = { ...before, amount_cents: '1.234,57' };
    expect(attributesOfForm(payment, values, { before, locale: 'de-DE' }).attributes).toEqual({
      amount_cents: 123_457,
    });
  });

  it.each(['1e3', '0x10', '1.5', '', ' '])('refuses %j as a number', (quantity) => {
    const { wrong, attributes } = attributesOfForm(payment, {
      line_items: [{ name: 'a', quantity }],
    });
    expect(attributes).toEqual({ line_items: [{ name: 'a' }] });
    expect(wrong).toHaveLength(quantity.trim() === '' ? 0 : 1);
  });

  it.each(Object.values(resources))('of $type round-trips empty values', ({ fields }) => {
    const writable = writableFields(fields, 'update');
    const before = initialValues(writable);
    expect(attributesOfForm(writable, before, { before })).toEqual({ attributes: {}, wrong: [] });
  });
});

it('the limit of a velocity limit is an amount if its kind counts money', () => {
  const limit = writableFields(resources.velocity_limits.fields, 'create');
  const numberOf = (kind: string, amount_currency: string) =>
    attributesOfForm(limit, { kind, max_count: '150', amount_currency });
  expect(numberOf('card_amount', 'EUR').attributes.max_count).toBe(15_000);
  expect(numberOf('card_declines', 'EUR').attributes.max_count).toBe(150);
  expect(numberOf('card_amount', '').wrong).toMatchObject([{ problem: 'currency_first' }]);
});
