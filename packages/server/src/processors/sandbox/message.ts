import type { CardFields } from '@florin/contract/protocol/vault.ts';

export const headers = { 'content-type': 'application/json' } as const;

/** A message whose card fields are still null. The vault fills them in. */
export type BlankMessage<Message extends { card: object }> = Omit<Message, 'card'> & {
  readonly card: { readonly [Member in keyof Message['card']]: null };
};

export const blankCard = { number: null, expiry_month: null, expiry_year: null } as const;

export const authenticationFields: CardFields = {
  '/card/number': 'pan',
  '/card/expiry_month': 'expiry_month',
  '/card/expiry_year': 'expiry_year',
};
