/** Names of the texts that customer pages and emails share. */
export const commonTextNames = [
  'test_mode',
  'rest_of_period',
  'unused_time',
  'discount',
  'shipping',
  'tax',
  'credit_used',
  'owed_before',
  'total',
  'tax_included',
] as const;
export type CommonTextName = (typeof commonTextNames)[number];
