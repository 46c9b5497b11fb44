/** Actions that a merchant may allow on the customer's subscription page. */
export const customerRights = ['cancel', 'cancel_now', 'pause', 'change_card'] as const;
export type CustomerRight = (typeof customerRights)[number];

/** Default of the actions that a merchant allows its customers. */
export const customersMayDefault: readonly CustomerRight[] = ['cancel', 'change_card'];
