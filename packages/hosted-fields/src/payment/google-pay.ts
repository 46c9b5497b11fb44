import type { BillingAddress, WalletPayment } from '@florin/contract/protocol/frame.ts';

/**
 * The part of Google's script that the form uses. The document loads the script if the form offers Google Pay in live
 * mode.
 */
interface GooglePayments {
  readonly payments: {
    readonly api: {
      readonly PaymentsClient: new (options: {
        environment: 'PRODUCTION';
      }) => {
        loadPaymentData(request: object): Promise<PaymentData>;
      };
    };
  };
}

interface PaymentData {
  readonly paymentMethodData: {
    readonly tokenizationData: { readonly token: string };
    readonly info?: { readonly billingAddress?: GoogleAddress };
  };
}

interface GoogleAddress {
  readonly address1?: string;
  readonly locality?: string;
  readonly administrativeArea?: string;
  readonly postalCode?: string;
  readonly countryCode?: string;
}

/**
 * Opens Google's payment sheet. Resolves to undefined if the cardholder closes it. Rejects if Google Pay is
 * unavailable.
 */
export async function requestGoogle(request: object): Promise<WalletPayment | undefined> {
  const { google } = globalThis as unknown as { readonly google: GooglePayments };
  try {
    const client = new google.payments.api.PaymentsClient({ environment: 'PRODUCTION' });
    const { tokenizationData, info } = (await client.loadPaymentData(request)).paymentMethodData;
    const { billingAddress } = info ?? {};
    const { token } = tokenizationData;
    return { token, ...(billingAddress && { billing_address: addressOf(billingAddress) }) };
  } catch (error) {
    if ((error as { readonly statusCode?: string }).statusCode === 'CANCELED') return undefined;
    throw error;
  }
}

const addressOf = (address: GoogleAddress): BillingAddress => ({
  line_1: address.address1 ?? '',
  city: address.locality ?? '',
  state: address.administrativeArea ?? '',
  zip: address.postalCode ?? '',
  country: address.countryCode ?? '',
});
