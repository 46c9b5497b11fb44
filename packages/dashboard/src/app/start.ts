import type { Me } from '../api/session.ts';
import type { Mode } from '../api/types.ts';

const STORAGE_KEY = 'florin.scope';

/** Stores the last merchant and mode for the next visit without an address. */
export const storeScope = (merchant: string, mode: Mode): void =>
  localStorage.setItem(STORAGE_KEY, `${merchant}/${mode}`);

/** Whether this browser has already shown a merchant. */
export const hasVisited = (): boolean => localStorage.getItem(STORAGE_KEY) !== null;

/** The mode of the last visit. */
export const storedMode = (): Mode =>
  localStorage.getItem(STORAGE_KEY)?.endsWith('/live') ? 'live' : 'sandbox';

/** Returns the first path of a visit: that of the last merchant, or of the person's first merchant. */
export function startOf({ merchants, account }: Me): string | undefined {
  const [storedMerchant = '', mode = 'sandbox'] = (localStorage.getItem(STORAGE_KEY) ?? '').split(
    '/',
  );
  const merchant = merchants.find(({ id }) => id === storedMerchant) ?? merchants[0];
  if (merchant) return `/${merchant.id}/${merchant.id === storedMerchant ? mode : 'sandbox'}`;
  return account.operator ? '/operator/merchants' : undefined;
}
