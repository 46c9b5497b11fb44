import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const CHUNK_OVERHEAD_BYTES = 12;
const HEADER_BYTES = 13;
const SIDE_MAX = 20_000;

/** Finds a fault of a PNG; undefined if it is whole. Each chunk is checked, and nothing may follow the last one. */
export function findPngFault(bytes: Buffer): string | undefined {
  let position = SIGNATURE.length;
  let hasImage = false;
  while (position + CHUNK_OVERHEAD_BYTES <= bytes.length) {
    const length = bytes.readUInt32BE(position);
    const end = position + CHUNK_OVERHEAD_BYTES + length;
    if (end > bytes.length) return 'is cut off';
    const name = bytes.toString('latin1', position + 4, position + 8);
    if (crc32(bytes.subarray(position + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      return 'is damaged';
    if (position === SIGNATURE.length && !isHeader(bytes, position, name, length))
      return 'has no valid header';
    hasImage ||= name === 'IDAT';
    if (name === 'IEND') return endFault(end === bytes.length, hasImage);
    position = end;
  }
  return 'is cut off';
}

function endFault(isAtEnd: boolean, hasImage: boolean): string | undefined {
  if (!isAtEnd) return 'has data after its end';
  return hasImage ? undefined : 'has no image';
}

function isHeader(bytes: Buffer, position: number, name: string, length: number): boolean {
  if (name !== 'IHDR' || length !== HEADER_BYTES) return false;
  const [width, height] = [bytes.readUInt32BE(position + 8), bytes.readUInt32BE(position + 12)];
  return width > 0 && height > 0 && width <= SIDE_MAX && height <= SIDE_MAX;
}
