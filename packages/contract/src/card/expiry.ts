/** Whether a card is valid in the month of `now`. Cards are valid through the end of their expiry month. */
export function expiryOk(month: number, year: number, now: Date): boolean {
  if (!Number.isInteger(month) || month < 1 || month > 12 || !Number.isInteger(year)) return false;
  const months = (year - now.getUTCFullYear()) * 12 + (month - 1 - now.getUTCMonth());
  return months >= 0 && months <= EXPIRY_MONTHS_AHEAD_MAX;
}

/** Issuers do not set later expiry dates. */
export const EXPIRY_MONTHS_AHEAD_MAX = 20 * 12;

/** Month and four-digit year from typed text: `12/30`, `1230`, `12 / 2030`. Undefined while the text is incomplete. */
export function parseExpiry(text: string): { month: number; year: number } | undefined {
  const match = /^(\d{1,2})\s*\/?\s*(\d{4}|\d{2})$/.exec(text.normalize('NFKC').trim());
  if (!match) return undefined;
  const year = Number(match[2]);
  return { month: Number(match[1]), year: year < 100 ? 2000 + year : year };
}
