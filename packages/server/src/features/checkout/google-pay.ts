import { amountDecimal } from '@florin/contract/money.ts';
import type { WalletKeys } from '@florin/contract/protocol/vault.ts';

export interface GooglePayPurchase {
  /** Amount in minor units. */
  readonly amount: string;
  readonly currency: string;
  readonly merchant_id: string;
  readonly billing_address: boolean;
}

/**
 * Request to Google's script (`PaymentDataRequest` of version 2.0). Contains the payment's total.
 * Google encrypts the card for the vault.
 */
export function googlePayRequest(purchase: GooglePayPurchase, { google_pay }: WalletKeys): object {
  const { amount, currency, billing_address } = purchase;
  return {
    apiVersion: 2,
    apiVersionMinor: 0,
    allowedPaymentMethods: [
      {
        type: 'CARD',
        parameters: {
          allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
          allowedCardNetworks: ['AMEX', 'DISCOVER', 'JCB', 'MASTERCARD', 'VISA'],
          ...(billing_address && {
            billingAddressRequired: true,
            billingAddressParameters: { format: 'FULL' },
          }),
        },
        tokenizationSpecification: tokenizationOf(purchase, google_pay),
      },
    ],
    merchantInfo: { merchantId: google_pay?.merchant_id },
    transactionInfo: {
      totalPriceStatus: 'FINAL',
      totalPrice: amountDecimal(amount, currency),
      currencyCode: currency,
    },
  };
}

type GoogleKeys = WalletKeys['google_pay'];

const tokenizationOf = ({ merchant_id }: GooglePayPurchase, keys: GoogleKeys): object =>
  keys?.gateway
    ? {
        type: 'PAYMENT_GATEWAY',
        parameters: { gateway: keys.gateway, gatewayMerchantId: merchant_id },
      }
    : {
        type: 'DIRECT',
        parameters: { protocolVersion: 'ECv2', publicKey: keys?.public_key ?? '' },
      };
