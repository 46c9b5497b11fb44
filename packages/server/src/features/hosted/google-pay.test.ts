import { describe, expect, it } from 'vitest';
import { googlePayRequest } from './google-pay.ts';

const purchase = {
  amount: '2500',
  currency: 'USD',
  merchant_id: '01997a6e-0000-7000-8000-000000000001',
  billing_address: false,
};
const gateway = {
  mode: 'live',
  google_pay: { recipient_id: 'gateway:florin', gateway: 'florin', public_key: 'BPoint' },
} as const;
const direct = {
  mode: 'live',
  google_pay: { recipient_id: 'merchant:0123', public_key: 'BPoint' },
} as const;

describe('what Google is asked for', () => {
  it.each([
    ['2500', 'USD', '25.00'],
    ['5', 'EUR', '0.05'],
    ['2500', 'JPY', '2500'],
    ['2500', 'KWD', '2.500'],
  ])('has the total of the payment: %s minor units of %s are %s', (amount, currency, total) => {
    expect(googlePayRequest({ ...purchase, amount, currency }, gateway)).toMatchObject({
      transactionInfo: { totalPrice: total, totalPriceStatus: 'FINAL', currencyCode: currency },
    });
  });

  it.each([
    [
      'a gateway that knows this merchant',
      gateway,
      {
        type: 'PAYMENT_GATEWAY',
        parameters: { gateway: 'florin', gatewayMerchantId: purchase.merchant_id },
      },
    ],
    [
      'the vault’s own key',
      direct,
      { type: 'DIRECT', parameters: { protocolVersion: 'ECv2', publicKey: 'BPoint' } },
    ],
  ])('is encrypted for %s', (_name, keys, tokenizationSpecification) => {
    expect(googlePayRequest(purchase, keys)).toMatchObject({
      allowedPaymentMethods: [{ type: 'CARD', tokenizationSpecification }],
    });
  });

  it('includes the billing address only where the form wants one', () => {
    const asked = (billing_address: boolean) =>
      JSON.stringify(googlePayRequest({ ...purchase, billing_address }, gateway));
    expect(asked(true)).toContain('"billingAddressRequired":true');
    expect(asked(false)).not.toContain('billingAddress');
  });

  it('names the merchant where Google signs tokens for one', () => {
    expect(googlePayRequest(purchase, direct)).toMatchObject({
      merchantInfo: { merchantId: '0123' },
    });
  });
});
