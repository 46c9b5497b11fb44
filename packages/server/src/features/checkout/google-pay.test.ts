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
const gatewayKeys = {
  mode: 'live',
  google_pay: {
    recipient_id: 'gateway:florin',
    gateway: 'florin',
    merchant_id: '0123',
    public_key: 'BPoint',
  },
} as const;
const directKeys = {
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
    expect(googlePayRequest({ ...purchase, amount, currency }, gatewayKeys)).toMatchObject({
      transactionInfo: { totalPrice: total, totalPriceStatus: 'FINAL', currencyCode: currency },
    });
  });

  it.each([
    [
      'a gateway that knows this merchant',
      gatewayKeys,
      {
        type: 'PAYMENT_GATEWAY',
        parameters: { gateway: 'florin', gatewayMerchantId: purchase.merchant_id },
      },
    ],
    [
      'the vault’s own key',
      directKeys,
      { type: 'DIRECT', parameters: { protocolVersion: 'ECv2', publicKey: 'BPoint' } },
    ],
  ])('is encrypted for %s', (_name, keys, tokenizationSpecification) => {
    expect(googlePayRequest(purchase, keys)).toMatchObject({
      allowedPaymentMethods: [{ type: 'CARD', tokenizationSpecification }],
    });
  });

  it('includes the billing address only if the form asks for one', () => {
    const requestFor = (billing_address: boolean) =>
      JSON.stringify(googlePayRequest({ ...purchase, billing_address }, gatewayKeys));
    expect(requestFor(true)).toContain('"billingAddressRequired":true');
    expect(requestFor(false)).not.toContain('billingAddress');
  });

  it.each([
    ['gateway', gatewayKeys],
    ['merchant with its own account', directKeys],
  ])('names the merchant, for a %s', (_name, keys) => {
    expect(googlePayRequest(purchase, keys)).toMatchObject({
      merchantInfo: { merchantId: '0123' },
    });
  });
});

describe('in live mode Google Pay', () => {
  const { google_pay } = gatewayKeys;
  const { merchant_id: _, ...gatewayWithoutMerchant } = google_pay;
  const offerFor = async (keys: WalletKeys) => {
    const services = { relay: { walletKeys: async () => [keys] } } as unknown as Services;
    const scope = { merchant_id: purchase.merchant_id, mode: 'live' } as const;
    const payment = { amount_cents: '2500', amount_currency: 'USD' } as Row;
    const requestedWallets = { names: walletNames, billing_address: false };
    return Object.keys((await offerWallets(services, scope, payment, requestedWallets)) ?? {});
  };

  it('is offered only with a configured merchant id', async () => {
    expect(await offerFor({ mode: 'live', google_pay })).toEqual(['google_pay']);
    expect(await offerFor({ mode: 'live', google_pay: gatewayWithoutMerchant })).toEqual([]);
  });
});
