const TIMESTAMP =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Parses an ISO 8601 date or time into UTC text with six decimals, `2026-11-21T03:44:00.123456Z`. Truncates
 * further decimals. Returns undefined for other text.
 */
export function parseTimestamp(text: string): string | undefined {
  const match = TIMESTAMP.exec(text);
  if (!match) return undefined;
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0'] = match;
  if (!parseDate(`${year}-${month}-${day}`)) return undefined;
  if (+hour > 23 || +minute > 59 || +second > 59) return undefined;
  const offset = offsetMinutes(match[8]);
  if (offset === undefined) return undefined;
  const midnightMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  const utc = new Date(midnightMs + ((+hour * 60 + +minute - offset) * 60 + +second) * 1000);
  const iso = utc.toISOString();
  if (!/^\d{4}-/.test(iso) || iso.startsWith('0000')) return undefined;
  return `${iso.slice(0, 19)}.${(match[7] ?? '').slice(0, 6).padEnd(6, '0')}Z`;
}

function offsetMinutes(zone = 'Z'): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Parses an existing calendar date such as `2026-11-21`; returns undefined for other text. */
export function parseDate(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return undefined;
  const at = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(at)) return undefined;
  return new Date(at).toISOString().startsWith(text) ? text : undefined;
}
