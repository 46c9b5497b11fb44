import type { Me } from '../api/session.ts';
import type { Mode } from '../api/types.ts';

const KEPT_AS = 'florin.scope';

/** Remembers the last merchant and mode for the next visit without an address. */
export const keepScope = (merchant: string, mode: Mode): void =>
  localStorage.setItem(KEPT_AS, `${merchant}/${mode}`);

/** Whether this browser has shown a merchant before. */
export const wasHere = (): boolean => localStorage.getItem(KEPT_AS) !== null;

/** The mode of the last visit. */
export const keptMode = (): Mode =>
  localStorage.getItem(KEPT_AS)?.endsWith('/live') ? 'live' : 'sandbox';

/** Returns the first address of a visit: the last merchant seen, or the person's first one. */
export function startOf({ merchants, account }: Me): string | undefined {
  const [kept = '', mode = 'sandbox'] = (localStorage.getItem(KEPT_AS) ?? '').split('/');
  const merchant = merchants.find(({ id }) => id === kept) ?? merchants[0];
  if (merchant) return `/${merchant.id}/${merchant.id === kept ? mode : 'sandbox'}`;
  return account.operator ? '/operator/merchants' : undefined;
}
