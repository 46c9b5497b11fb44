import type { WalletKeys } from '@florin/contract/protocol/vault.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { googlePayRequest } from './google-pay.ts';
import { offerWallets, walletNames } from './wallets.ts';

const purchase = {
  amount: '2500',
  currency: 'USD',
  merchant_id: '01997a6e-0000-7000-8000-000000000001',
  billing_address: false,
};
const gateway = {
  mode: 'live',
  google_pay: {
    recipient_id: 'gateway:florin',
    gateway: 'florin',
    merchant_id: '0123',
    public_key: 'BPoint',
  },
} as const;
const direct = {
  mode: 'live',
  google_pay: { recipient_id: 'merchant:0123', merchant_id: '0123', public_key: 'BPoint' },
} as const;

describe('the request to Google', () => {
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

  it('includes the billing address only if the form asks for one', () => {
    const requestFor = (billing_address: boolean) =>
      JSON.stringify(googlePayRequest({ ...purchase, billing_address }, gateway));
    expect(requestFor(true)).toContain('"billingAddressRequired":true');
    expect(requestFor(false)).not.toContain('billingAddress');
  });

  it.each([
    ['gateway', gateway],
    ['merchant with its own account', direct],
  ])('names the merchant, for a %s', (_name, keys) => {
    expect(googlePayRequest(purchase, keys)).toMatchObject({
      merchantInfo: { merchantId: '0123' },
    });
  });
});

describe('in live mode Google Pay', () => {
  const { google_pay } = gateway;
  const { merchant_id: _, ...nameless } = google_pay;
  const offered = async (keys: WalletKeys) => {
    const services = { relay: { walletKeys: async () => [keys] } } as unknown as Services;
    const scope = { merchant_id: purchase.merchant_id, mode: 'live' } as const;
    const payment = { amount_cents: '2500', amount_currency: 'USD' } as Row;
    const asked = { names: walletNames, billing_address: false };
    return Object.keys((await offerWallets(services, scope, payment, asked)) ?? {});
  };

  it('is offered only with a configured merchant id', async () => {
    expect(await offered({ mode: 'live', google_pay })).toEqual(['google_pay']);
    expect(await offered({ mode: 'live', google_pay: nameless })).toEqual([]);
  });
});
