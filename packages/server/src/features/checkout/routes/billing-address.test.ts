import { describe, expect, it } from 'vitest';
import { billingAddressOf } from './billing-address.ts';

const validAddress = {
  line_1: ' 1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'us',
};
const addressWith = (change: object) =>
  billingAddressOf({ billing_address: { ...validAddress, ...change } });

describe('the address of a verify call', () => {
  it('is trimmed, and its country becomes alpha-3', () => {
    expect(addressWith({})).toEqual({ ...validAddress, line_1: '1 Main Street', country: 'USA' });
  });

  it('may omit state and postal code', () => {
    expect(addressWith({ country: 'HK', state: '', zip: '' })).toMatchObject({
      country: 'HKG',
      zip: '',
    });
  });

  it.each([
    [{ line_1: ' ' }],
    [{ line_1: 'x'.repeat(201) }],
    [{ city: undefined }],
    [{ city: 7 }],
    [{ state: null }],
    [{ zip: 'x'.repeat(21) }],
    [{ line_1: '1 Main\0Street' }],
    [{ city: 'New \ud800' }],
    [{ country: 'XX' }],
    [{ country: undefined }],
  ])('is none with %j', (change) => {
    expect(addressWith(change)).toBe('invalid');
  });

  it.each([[null], [7], ['x']])('is none where it is %j', (billing_address) => {
    expect(billingAddressOf({ billing_address })).toBe('invalid');
  });

  it.each([[{}], [null], [undefined], ['text']])('is absent from %j', (body) => {
    expect(billingAddressOf(body)).toBeUndefined();
  });
});
