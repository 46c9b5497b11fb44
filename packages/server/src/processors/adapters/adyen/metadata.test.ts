import { expect, it } from 'vitest';
import { adyenMetadata } from './metadata.ts';

it.each([
  ['EUR', 1, true],
  ['CLP', 990, true],
  ['IDR', 1_500_000, true],
  ['IDR', 1_500_001, false],
  ['CVE', 50, false],
])('an amount in %s of %i can be taken: %s', (currency, amount, isTaken) => {
  expect(adyenMetadata.takesAmount?.({ currency, amount })).toBe(isTaken);
});

const LIVE = 'https://1797a841fbb37ca7-ExampleShop-checkout-live.adyenpayments.com';

it.each([
  ['live', `${LIVE}/checkout`, undefined],
  ['live', LIVE, 'must end in /checkout'],
  ['live', 'http://127.0.0.1:4100/adyen', 'must begin with https'],
  ['live', 'https://checkout-test.adyen.com', 'test address'],
  ['sandbox', `${LIVE}/checkout`, 'live address'],
  ['sandbox', 'https://checkout-test.adyen.com', undefined],
  ['sandbox', 'https://checkout-test.adyen.com/v72', 'must have no path'],
  ['sandbox', 'http://127.0.0.1:4100/adyen', undefined],
] as const)('an account of %s mode with %s', (mode, api_url, why) => {
  const refusal = adyenMetadata.refusalOf?.({ mode, settings: { api_url } });
  if (why) expect(refusal).toContain(why);
  else expect(refusal).toBeUndefined();
});

it.each([
  ['api_url', `${LIVE}/checkout`, true],
  ['api_url', 'https://checkout-test.adyen.com', true],
  ['api_url', 'https://checkout-test.adyen.com/v72', false],
  ['merchant_account', 'ExampleShop_ECOM', true],
  ['merchant_account', 'Example Shop', false],
  ['hmac_key', '00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF', true],
  ['hmac_key', '00112233', false],
  ['webhook_login', 'florin:pass:word', true],
  ['webhook_login', 'florin', false],
])('the field %s takes %s: %s', (name, value, isTaken) => {
  const pattern = adyenMetadata.fields.find((field) => field.name === name)?.pattern;
  expect(new RegExp(`^(?:${pattern?.source})$`).test(value)).toBe(isTaken);
});
