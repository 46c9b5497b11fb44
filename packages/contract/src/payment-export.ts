/** Columns of the payments file for people, in their usual order, with the relationship that a column reads. */
export const paymentExportColumns = {
  created_at: undefined,
  reference: undefined,
  description: undefined,
  payer_name: 'payer',
  payer_email: 'payer',
  amount: undefined,
  currency: undefined,
  captured: undefined,
  refunded: undefined,
  fee: undefined,
  status: undefined,
  card_brand: 'payment_method',
  card_last_four: 'payment_method',
  id: undefined,
} as const;
export type PaymentExportColumn = keyof typeof paymentExportColumns;

/** Whether a text names a column. */
export const isPaymentExportColumn = (name: string): name is PaymentExportColumn =>
  Object.hasOwn(paymentExportColumns, name);

/** Languages of the file's words. */
export const paymentExportLanguages = ['en', 'de', 'fr', 'es'] as const;
export type PaymentExportLanguage = (typeof paymentExportLanguages)[number];
