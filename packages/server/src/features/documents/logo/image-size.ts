export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

interface PngHeader extends ImageSize {
  readonly interlaced: boolean;
  /** Bytes of a row of pixels. Undefined for an unknown kind of pixels. */
  readonly row_bytes: number | undefined;
  /** Compressed pixels. */
  readonly data: Buffer;
}

/** Samples of a pixel by the colour type of a PNG. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS = [1, 2, 4, 8, 16];
const SIGNATURE_BYTES = 8;
const CHUNK_OVERHEAD_BYTES = 12;

/** Reads the header and the compressed pixels of a PNG whose chunks are checked. */
export function pngHeader(bytes: Buffer): PngHeader {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth = 0, color = 0, , , interlace] = bytes.subarray(24, 29);
  const samples = DEPTHS.includes(depth) ? SAMPLES[color] : undefined;
  return {
    width,
    height,
    interlaced: interlace !== 0,
    row_bytes: samples && Math.ceil((width * samples * depth) / 8),
    data: Buffer.concat(dataChunks(bytes)),
  };
}

function dataChunks(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at + CHUNK_OVERHEAD_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      chunks.push(bytes.subarray(at + 8, at + 8 + length));
    at += CHUNK_OVERHEAD_BYTES + length;
  }
  return chunks;
}

const NO_FRAMES = [0xc4, 0xc8, 0xcc];

/** Reads the size of a JPEG whose segments are checked. Undefined without a frame. */
export function jpegSize(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}
