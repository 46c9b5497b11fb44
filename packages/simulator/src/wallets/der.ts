/** ASN.1 encoder for DER, limited to what wallet certificates and signatures need. */

const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  contextPrimitive: 0x80,
  contextConstructed: 0xa0,
} as const;

const LONG_FORM = 0x80;

function encodeLength(bytes: number): Buffer {
  if (bytes < LONG_FORM) return Buffer.from([bytes]);
  const digits = Buffer.from(bytes.toString(16).padStart(bytes > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([LONG_FORM | digits.length]), digits]);
}

/** A DER element with its tag. The content has at most 65535 bytes. */
const encodeTagged = (tag: number, ...contents: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), encodeLength(body.length), body]);
};

export const sequence = (...items: readonly Buffer[]): Buffer =>
  encodeTagged(tags.sequence, ...items);

/** DER element SET OF. DER requires sorted items. */
export const set = (...items: readonly Buffer[]): Buffer =>
  encodeTagged(tags.set, ...items.toSorted(Buffer.compare));

/** DER element under a constructed context tag, such as `[0]`. */
export const context = (number: number, ...contents: readonly Buffer[]): Buffer =>
  encodeTagged(tags.contextConstructed | number, ...contents);

/** Bytes under a primitive context tag, which replaces the tag of their type. */
export const contextPrimitive = (number: number, bytes: Buffer): Buffer =>
  encodeTagged(tags.contextPrimitive | number, bytes);

/** DER integer from the bytes of a positive number, big-endian. */
export const integer = (bytes: Buffer): Buffer =>
  encodeTagged(tags.integer, (bytes[0] ?? 0) & 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes);

export const octetString = (bytes: Buffer): Buffer => encodeTagged(tags.octetString, bytes);
export const bitString = (bytes: Buffer): Buffer =>
  encodeTagged(tags.bitString, Buffer.from([0]), bytes);
export const utf8String = (text: string): Buffer =>
  encodeTagged(tags.utf8String, Buffer.from(text));
export const derTrue = Buffer.from([0x01, 0x01, 0xff]);
export const derNull = Buffer.from([0x05, 0x00]);

/** DER UTCTime, precise to the second, for the years 1950 to 2049. */
export const utcTime = (time: Date): Buffer =>
  encodeTagged(tags.utcTime, Buffer.from(`${time.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

/** Encodes an object identifier in dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [firstArc = 0, secondArc = 0, ...furtherArcs] = dotted.split('.').map(Number);
  return encodeTagged(
    tags.objectIdentifier,
    Buffer.from([40 * firstArc + secondArc, ...furtherArcs.flatMap(encodeBase128)]),
  );
}

/** Seven bits per byte, big-endian; all bytes but the last have the high bit set. */
function encodeBase128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let remainingBits = value >> 7; remainingBits > 0; remainingBits >>= 7)
    digits.unshift((remainingBits & 0x7f) | 0x80);
  return digits;
}
