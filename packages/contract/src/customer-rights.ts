/** Actions that a merchant may allow on the customer's subscription page. */
export const customerRights = ['cancel', 'cancel_now', 'pause', 'change_card'] as const;
export type CustomerRight = (typeof customerRights)[number];

/** Actions of a merchant's customers, if the merchant sets none. */
export const customersMayDefault: readonly CustomerRight[] = ['cancel', 'change_card'];
