/** A card number or another secret that must not appear anywhere. Reports contain its name, never its digits. */
export interface Canary {
  readonly name: string;
  readonly digits: string;
}

/** Finds canaries in bytes in every common encoding. */
export interface Tracer {
  /** Returns the names of the canaries in `bytes`, each with its encoding. */
  find(bytes: Buffer): string[];
}

/**
 * Bytes that may separate digits of one number: blanks, punctuation, zero bytes of UTF-16, no-break spaces of UTF-8.
 */
const SEPARATORS = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0x2d, 0x2e, 0x2f, 0x3a, 0x5f, 0xa0, 0xc2];
const IS_SEPARATOR = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(SEPARATORS.includes(byte)),
);
const GAP_MAX = 3;
/** Minimum digits of a card number: shorter runs cannot contain one. */
const RUN_MIN = 13;

/** Bytes to search for. */
export interface Pattern {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Creates a tracer for canaries, and for `secrets`, which are searched for as bytes, such as ciphertexts. */
export function createTracer(
  canaries: readonly Canary[],
  secrets: readonly Pattern[] = [],
): Tracer {
  const findPatterns = createPatternSearch([
    ...canaries.flatMap(encodingsOf),
    ...secrets.flatMap(patternsOf),
  ]);
  const findDigits = createPatternSearch(canaries.map(toDigitPattern));
  const find = (bytes: Buffer) => [...findDigits(digitsOf(bytes)), ...findPatterns(bytes)];
  return { find: (bytes) => [...new Set(find(bytes))].sort() };
}

const toDigitPattern = ({ name, digits }: Canary): Pattern => ({
  name: `${name} (digits)`,
  bytes: Buffer.from(digits),
});

/** Returns runs of digits without their separators, at most three between two digits. A zero byte ends each run. */
function digitsOf(bytes: Buffer): Buffer {
  const digits = Buffer.allocUnsafe(bytes.length);
  let start = 0;
  let length = 0;
  let gap = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (length === start && !mayBeginRun(bytes, at)) {
      at += RUN_MIN - 1;
      continue;
    }
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      digits[length++] = byte;
      gap = 0;
    } else if (length > start && (IS_SEPARATOR[byte] !== 1 || ++gap > GAP_MAX)) {
      if (length - start < RUN_MIN) length = start;
      else digits[length++] = 0;
      start = length;
      gap = 0;
    }
  }
  return digits.subarray(0, length);
}

/** Quick check: a run of `RUN_MIN` digits that begins at `at` has a digit among the last `GAP_MAX + 1` of these bytes. */
function mayBeginRun(bytes: Buffer, at: number): boolean {
  for (let next = at + RUN_MIN - 1; next >= at + RUN_MIN - 1 - GAP_MAX; next--) {
    const byte = bytes[next] as number;
    if (byte >= 0x30 && byte <= 0x39) return true;
  }
  return false;
}

/** Binary encodings of a number in programs and PostgreSQL. */
function encodingsOf({ name, digits }: Canary): Pattern[] {
  const ascii = Buffer.from(digits);
  const hex = ascii.toString('hex');
  const integer = BigInt(digits);
  const binary = [0, 1, 2].map(() => Buffer.alloc(8)) as [Buffer, Buffer, Buffer];
  binary[0].writeBigUInt64LE(integer);
  binary[1].writeBigUInt64BE(integer);
  binary[2].writeDoubleLE(Number(digits));
  const encodings: readonly [string, Buffer][] = [
    ...toBase64Variants(ascii).map((bytes): [string, Buffer] => ['base64', bytes]),
    ['hex', Buffer.from(hex)],
    ['percent-encoding', Buffer.from(hex.replace(/../g, '%$&'))],
    ['JSON escapes', Buffer.from(hex.replace(/../g, '\\u00$&'))],
    ['hex integer', Buffer.from(integer.toString(16))],
    ['hex integer', Buffer.from(integer.toString(16).toUpperCase())],
    ['64-bit integer', binary[0]],
    ['64-bit integer', binary[1]],
    // Doubles are exact only up to 2^53: a longer number has the same bits as its neighbours.
    ['double', binary[2]],
    ['PostgreSQL numeric', encodeNumeric(digits)],
  ];
  return encodings.map(([encoding, bytes]) => ({ name: `${name} (${encoding})`, bytes }));
}

/** The bytes themselves, and their encodings in texts. */
const patternsOf = ({ name, bytes }: Pattern): Pattern[] =>
  [bytes, Buffer.from(bytes.toString('hex')), ...toBase64Variants(bytes)].map((encodedBytes) => ({
    name,
    bytes: encodedBytes,
  }));

/** Base64 text at each of three offsets, without characters that neighbouring bytes influence. */
const toBase64Variants = (ascii: Buffer): Buffer[] =>
  [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), ascii]).toString('base64url');
    const start = Math.ceil((shift * 8) / 6);
    const end = Math.floor(((shift + ascii.length) * 8) / 6);
    return Buffer.from(text.slice(start, end));
  });

/** Groups of four digits as 16-bit words without trailing zeros, as PostgreSQL stores `numeric` and JSON numbers. */
function encodeNumeric(digits: string): Buffer {
  const groups = digits.padStart(Math.ceil(digits.length / 4) * 4, '0').match(/\d{4}/g) ?? [];
  const words = groups.map(Number);
  while (words.at(-1) === 0) words.pop();
  const bytes = Buffer.alloc(words.length * 2);
  for (const [at, word] of words.entries()) bytes.writeUInt16LE(word, at * 2);
  return bytes;
}

const PAIRS = 1 << 16;

/**
 * Searches many patterns in one pass (Wu-Manber). The pair of bytes at the end of a window says how far ahead the next
 * possible match is, so most positions are skipped.
 */
function createPatternSearch(patterns: readonly Pattern[]): (bytes: Buffer) => string[] {
  const pairOffset = Math.min(...patterns.map(({ bytes }) => bytes.length)) - 2;
  const skips = new Uint8Array(PAIRS).fill(pairOffset + 1);
  const byPrefix = new Map<number, Pattern[]>();
  for (const pattern of patterns) {
    for (let at = 0; at <= pairOffset; at++) {
      const pair = pattern.bytes.readUInt16BE(at);
      skips[pair] = Math.min(skips[pair] as number, pairOffset - at);
    }
    const prefix = prefixAt(pattern.bytes, 0);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), pattern]);
  }
  return (bytes) => {
    const names: string[] = [];
    let at = pairOffset;
    while (at + 1 < bytes.length) {
      const skip = skips[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] as number;
      if (skip === 0) {
        const start = at - pairOffset;
        for (const { name, bytes: searchedBytes } of byPrefix.get(prefixAt(bytes, start)) ?? []) {
          if (bytes.subarray(start, start + searchedBytes.length).equals(searchedBytes))
            names.push(name);
        }
      }
      at += skip || 1;
    }
    return names;
  };
}

const prefixAt = (bytes: Buffer, at: number): number =>
  ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
