import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Region of telephone numbers without a country code. */
const DEFAULT_REGION = 'US';
/** Maximum characters of a telephone number as entered. */
export const PHONE_TEXT_MAX = 50;

/** A telephone number in E.164; undefined if invalid. */
export function parsePhone(text: string): string | undefined {
  if (text.length > PHONE_TEXT_MAX) return undefined;
  const phoneNumber = parsePhoneNumberFromString(text, DEFAULT_REGION);
  return phoneNumber?.isPossible() && !phoneNumber.ext ? phoneNumber.number : undefined;
}

/** Whether the text has one `@`, no blanks, and a domain of two or more labels. Delivery is not checked. */
export const isEmail = (text: string): boolean =>
  /^[^\s@,<>]+@[^\s@.,<>]+(\.[^\s@.,<>]+)+$/.test(text);

/** An absolute http or https address with a host, without blanks and control characters. */
export function isHttpUrl(text: string): boolean {
  if (/\s/.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  return new URL(text).hostname !== '';
}
