import { expect, it } from 'vitest';
import { hasAddress, missingInputs, newCustomerDraft, noCustomer } from './customer-values.ts';

const ada = { ...noCustomer, email: ' ada@example.com ' };

it('a customer needs an email address only', () => {
  expect(missingInputs(noCustomer)).toEqual(['email']);
  expect(missingInputs(ada)).toEqual([]);
});

it('an address that was begun needs its other parts', () => {
  const begun = { ...ada, country: 'USA' };
  expect(hasAddress(begun)).toBe(true);
  expect(missingInputs(begun)).toEqual(['line_1', 'zip', 'city', 'state']);
});

it('empty inputs are not sent', () => {
  expect(newCustomerDraft({ ...ada, phone: ' ' }).attributes).toEqual({ email: 'ada@example.com' });
  expect(
    newCustomerDraft({ ...ada, name: 'Ada', phone: '+1 555', note: 'vip' }).attributes,
  ).toEqual({ email: 'ada@example.com', name: 'Ada', phone_number: '+1 555', description: 'vip' });
});
