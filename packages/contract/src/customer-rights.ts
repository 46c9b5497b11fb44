/** What a merchant may let customers do on the page of their subscription. */
export const customerRights = ['cancel', 'cancel_now', 'pause', 'change_card'] as const;
export type CustomerRight = (typeof customerRights)[number];

/** What they may do where the merchant has said nothing. */
export const customersMayDefault: readonly CustomerRight[] = ['cancel', 'change_card'];
