/** Cards that an account may send. Null: no merchant is named. */
export const describeMerchant = (merchant_id: string | null): string =>
  merchant_id === null ? 'cards of every merchant' : `cards of merchant ${merchant_id} only`;
