import type { IncomingHttpHeaders } from 'node:http';
import { maskCards } from '@florin/contract/card/scan.ts';
import { createLru } from '@florin/contract/lru.ts';

/** Bytes of the body, and of the headers, that are stored. */
const BODY_STORED_MAX = 1_024;
/** Bytes behind the stored ones that are masked with them: a card number may cross the end. */
const BODY_MASKED_MORE = 64;
const HEADERS_STORED_MAX = 4_096;

/** Headers with the receiver's secrets. Only their presence is stored. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['set-cookie', 'authorization']);
const NOT_STORED = '[not kept]';

/** First kilobyte of a body as storable text; undefined if empty. */
export function storedBody(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  const masked = maskCards(withoutNul(decode(bytes, BODY_STORED_MAX + BODY_MASKED_MORE)));
  const text = decode(Buffer.from(masked), BODY_STORED_MAX);
  const isCut = bytes.length > BODY_STORED_MAX;
  return (isCut ? text.replace(LAST_DIGITS, '') : text) || undefined;
}

/** Digits at the end of a body that was cut, which may be the beginning of a card number. */
const LAST_DIGITS = /\d[\d\s.-]*$/;

/** In stream mode the decoder omits a truncated last character. */
const decode = (bytes: Buffer, length: number): string =>
  new TextDecoder().decode(bytes.subarray(0, length), { stream: true });

/** Headers as JSON text, in order of arrival, as many as fit. */
export function storedHeaders(headers: IncomingHttpHeaders): string {
  let stored = '';
  for (const [name, value] of Object.entries(headers)) {
    const text = SECRET_HEADERS.has(name) ? NOT_STORED : [value ?? ''].flat().join(', ');
    const member = memberOf(name, text);
    if (Buffer.byteLength(stored) + Buffer.byteLength(member) + 3 > HEADERS_STORED_MAX) continue;
    stored += `${stored && ','}${member}`;
  }
  return `{${stored}}`;
}

/** Members of recent headers: a receiver repeats most of them. */
const members = createLru<string>(500);
/** Characters of a header that is kept. */
const KEPT_CHARACTERS_MAX = 200;

/** Header as a member of a JSON object. Text with a card number is not kept in memory. */
function memberOf(name: string, text: string): string {
  const header = `${name}\0${text}`;
  const keptMember = members.get(header);
  if (keptMember) return keptMember;
  // Masks before the JSON encoding, because masking also replaces characters such as quotation marks.
  const parts = [name, text].map(withoutNul);
  const maskedParts = parts.map(maskCards);
  const member = maskedParts.map((part) => JSON.stringify(part)).join(':');
  const isMasked = maskedParts.some((part, at) => part !== parts[at]);
  if (!isMasked && header.length <= KEPT_CHARACTERS_MAX) members.set(header, member);
  return member;
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');
