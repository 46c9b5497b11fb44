import { PAN_DIGITS_MAX } from '@florin/contract/card/card-number.ts';
import { networkOf } from '@florin/contract/card/networks.ts';
import { type Format, plainDigits } from './edit.ts';

/** Groups a card number as its network prints it. */
export const numberFormat: Format = {
  digits(raw) {
    const digits = plainDigits(raw);
    return digits.slice(0, Math.max(...(networkOf(digits)?.lengths ?? [PAN_DIGITS_MAX])));
  },
  show(digits) {
    const groups = networkOf(digits)?.groups ?? [4, 4, 4, 4, 3];
    const parts: string[] = [];
    let start = 0;
    for (const size of groups.slice(0, -1)) {
      parts.push(digits.slice(start, start + size));
      start += size;
    }
    return [...parts, digits.slice(start)].filter(Boolean).join(' ');
  },
};

/** Formats an expiry date as `MM / YY`. A complete four-digit year is shortened to two digits. */
export const expiryFormat: Format = {
  digits: (raw) => shortYear(withLeadingZero(monthFirst(raw))),
  show: (digits) => (digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`),
};

/** Reorders an ISO 8601 month (`2030-12`), which some password managers fill in. */
const monthFirst = (raw: string): string => raw.trim().replace(/^(\d{4})-(\d{2})$/, '$2$1');

/** Adds the leading zero to a month that can only have one digit: `5`, `1/`, `13`. */
function withLeadingZero(raw: string): string {
  const digits = plainDigits(raw);
  const single = /^\s*[1-9]\s*\//.test(raw) || /^([2-9]|1[3-9])/.test(digits);
  return single ? `0${digits}` : digits;
}

function shortYear(digits: string): string {
  if (digits.slice(2, 4) !== '20') return digits.slice(0, 4);
  return digits.length < 6 ? digits : digits.slice(0, 2) + digits.slice(4, 6);
}

/** Length of the longest verification value of any network. */
const CVV_DIGITS_MAX = 4;

export const cvvFormat: Format = {
  digits: (raw) => plainDigits(raw).slice(0, CVV_DIGITS_MAX),
  show: (digits) => digits,
};
