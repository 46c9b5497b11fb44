import { expect, it } from 'vitest';
import { adyenAdapter } from '../../processors/adapters/adyen/index.ts';
import { identityOf } from './identity.ts';

const settings = { api_url: 'https://checkout-test.adyen.com', merchant_account: 'Shop_ECOM' };
const identityWith = (more: Readonly<Record<string, string>>) =>
  identityOf(adyenAdapter, { id: 'a', mode: 'sandbox', settings: { ...settings, ...more } });

it('is equal for two accounts that differ in the addresses of reports and disputes only', () => {
  const area = 'https://ca-test.adyen.com';
  expect(identityWith({ report_url: area, disputes_url: area })).toBe(identityWith({}));
  expect(identityWith({ merchant_account: 'Shop_POS' })).not.toBe(identityWith({}));
  expect(identityWith({ api_url: 'http://127.0.0.1:4010/adyen' })).not.toBe(identityWith({}));
});
