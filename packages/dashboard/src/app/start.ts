import type { Me } from '../api/session.ts';
import type { Mode } from '../api/types.ts';

const KEPT_AS = 'florin.scope';

/** Remembers where the person was, for the next time that they come without an address. */
export const keepScope = (merchant: string, mode: Mode): void =>
  localStorage.setItem(KEPT_AS, `${merchant}/${mode}`);

/** Whether anybody has seen a merchant with this browser. */
export const wasHere = (): boolean => localStorage.getItem(KEPT_AS) !== null;

/** The mode in which the person was last. */
export const keptMode = (): Mode =>
  localStorage.getItem(KEPT_AS)?.endsWith('/live') ? 'live' : 'sandbox';

/** Where somebody begins who has named no merchant: where they were, or with the first of theirs. */
export function startOf({ merchants, account }: Me): string | undefined {
  const [kept = '', mode = 'sandbox'] = (localStorage.getItem(KEPT_AS) ?? '').split('/');
  const merchant = merchants.find(({ id }) => id === kept) ?? merchants[0];
  if (merchant) return `/${merchant.id}/${merchant.id === kept ? mode : 'sandbox'}`;
  return account.operator ? '/operator/merchants' : undefined;
}
