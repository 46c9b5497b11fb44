import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Numbers without a country code are read as North American. */
const DEFAULT_REGION = 'US';
/** Characters of a telephone number as people write it. */
export const PHONE_TEXT_MAX = 50;

/** A telephone number in E.164, or undefined. */
export function parsePhone(text: string): string | undefined {
  if (text.length > PHONE_TEXT_MAX) return undefined;
  const parsed = parsePhoneNumberFromString(text, DEFAULT_REGION);
  return parsed?.isPossible() && !parsed.ext ? parsed.number : undefined;
}

/**
 * One `@`, no blanks, and a domain of at least two labels. Only sending shows whether mail arrives.
 */
export const isEmail = (text: string): boolean =>
  /^[^\s@,<>]+@[^\s@.,<>]+(\.[^\s@.,<>]+)+$/.test(text);

/** An absolute http or https address with a host, without blanks and control characters. */
export function isHttpUrl(text: string): boolean {
  if (/\s/.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  return new URL(text).hostname !== '';
}
