/**
 * Whether a card is still valid in the month of `now`. A card is valid until the end of its expiry
 * month.
 */
export function expiryOk(month: number, year: number, now: Date): boolean {
  if (!Number.isInteger(month) || month < 1 || month > 12 || !Number.isInteger(year)) return false;
  const months = (year - now.getUTCFullYear()) * 12 + (month - 1 - now.getUTCMonth());
  return months >= 0 && months <= EXPIRY_MONTHS_AHEAD_MAX;
}

/** Months from now to the latest accepted expiry. Issuers set no later dates. */
export const EXPIRY_MONTHS_AHEAD_MAX = 20 * 12;

/**
 * Month and four-digit year of typed text: `12/30`, `1230`, `12 / 2030`. Undefined if incomplete.
 */
export function parseExpiry(text: string): { month: number; year: number } | undefined {
  const match = /^(\d{1,2})\s*\/?\s*(\d{4}|\d{2})$/.exec(text.normalize('NFKC').trim());
  if (!match) return undefined;
  const year = Number(match[2]);
  return { month: Number(match[1]), year: year < 100 ? 2000 + year : year };
}
