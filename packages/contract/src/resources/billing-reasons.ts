export const billingReasons = ['first', 'proration', 'renewal', 'change'] as const;
export type BillingReason = (typeof billingReasons)[number];
