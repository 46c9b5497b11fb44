const MARKER = 0xff;
const START_OF_SCAN = 0xda;
const END = Buffer.from('ffd9', 'hex');
/** Start-of-frame markers are C0 to CF without tables (C4), extensions (C8) and arithmetic conditioning (CC). */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker);

/** Finds a fault of a JPEG; undefined if it is whole. Reads its segments up to the image data, and its end. */
export function findJpegFault(bytes: Buffer): string | undefined {
  if (!bytes.subarray(-END.length).equals(END)) return 'is cut off, or has data after its end';
  let position = 2;
  let hasSize = false;
  while (position + 4 <= bytes.length) {
    const marker = bytes[position + 1] as number;
    const length = bytes.readUInt16BE(position + 2);
    if (bytes[position] !== MARKER || length < 2) return 'is damaged';
    if (isFrame(marker)) hasSize = hasDimensions(bytes, position, length);
    if (marker === START_OF_SCAN) return hasSize ? undefined : 'has no image';
    position += 2 + length;
  }
  return 'is cut off';
}

const hasDimensions = (bytes: Buffer, position: number, length: number): boolean =>
  length >= 8 &&
  position + 9 <= bytes.length &&
  bytes.readUInt16BE(position + 5) > 0 &&
  bytes.readUInt16BE(position + 7) > 0;
