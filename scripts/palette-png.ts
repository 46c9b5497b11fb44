import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS_MAX = 256;
const RGB = 2;
const RGBA = 6;
const PALETTE = 3;

interface Image {
  readonly width: number;
  readonly height: number;
  /** Three bytes per pixel. */
  readonly pixels: Buffer;
}

/**
 * Reduces a PNG to 256 colours at most, a third of the size. Accepts 8 bits per channel without interlacing,
 * as browsers write. Throws an `Error` for other files.
 */
export function withPalette(png: Buffer): Buffer {
  const image = decode(png);
  const { palette, indexOf } = paletteOf(image.pixels);
  const rows: Buffer[] = [];
  for (let y = 0; y < image.height; y += 1) {
    const row = Buffer.alloc(image.width + 1);
    for (let x = 0; x < image.width; x += 1) {
      row[x + 1] = indexOf(image.pixels.readUIntBE((y * image.width + x) * 3, 3));
    }
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(image.width, 0);
  header.writeUInt32BE(image.height, 4);
  header.set([8, PALETTE, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    createChunk('IHDR', header),
    createChunk('PLTE', palette),
    createChunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
}

function decode(png: Buffer): Image {
  const [header, ...data] = chunksOf(png);
  if (!header) throw new Error('The picture is no PNG.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colour, , , interlaced] = header.subarray(8);
  const channels = colour === RGBA ? 4 : 3;
  if (depth !== 8 || interlaced !== 0 || (colour !== RGB && colour !== RGBA))
    throw new Error('The picture is of a kind that browsers do not make.');
  const raw = removeFilters(inflateSync(Buffer.concat(data)), width * channels, channels);
  if (channels === 3) return { width, height, pixels: raw };
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1) raw.copy(pixels, at * 3, at * 4, at * 4 + 3);
  return { width, height, pixels };
}

/** The header and the data of a picture's chunks. */
function chunksOf(png: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR' || type === 'IDAT') chunks.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return chunks;
}

/** Undoes the filters of the rows (PNG specification, chapter 9). */
function removeFilters(data: Buffer, stride: number, step: number): Buffer {
  const rows = data.length / (stride + 1);
  const out = Buffer.alloc(rows * stride);
  for (let y = 0; y < rows; y += 1) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const left = x >= step ? (out[y * stride + x - step] as number) : 0;
      const up = y > 0 ? (out[(y - 1) * stride + x] as number) : 0;
      const corner = x >= step && y > 0 ? (out[(y - 1) * stride + x - step] as number) : 0;
      const predicted = predictedBy(filter, left, up, corner);
      out[y * stride + x] = (data[y * (stride + 1) + 1 + x] as number) + predicted;
    }
  }
  return out;
}

function predictedBy(filter: number | undefined, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      return 0;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map((neighbour) => Math.abs(estimate - neighbour)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** The most frequent colours, and the nearest of them for each other colour. */
function paletteOf(pixels: Buffer): { palette: Buffer; indexOf: (colour: number) => number } {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const colourCounts = [...counts].sort(([, one], [, other]) => other - one);
  const colours = colourCounts.slice(0, COLOURS_MAX).map(([colour]) => colour);
  const palette = Buffer.alloc(colours.length * 3);
  for (const [index, colour] of colours.entries()) palette.writeUIntBE(colour, index * 3, 3);
  const indexes = new Map(colours.map((colour, index) => [colour, index]));
  const indexOf = (colour: number): number => {
    const cachedIndex = indexes.get(colour);
    if (cachedIndex !== undefined) return cachedIndex;
    const nearest = nearestOf(colours, colour);
    indexes.set(colour, nearest);
    return nearest;
  };
  return { palette, indexOf };
}

function nearestOf(colours: readonly number[], target: number): number {
  const distances = colours.map((colour) => colorDistance(colour, target));
  return distances.indexOf(Math.min(...distances));
}

const colorDistance = (one: number, other: number): number =>
  [16, 8, 0].reduce(
    (sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2,
    0,
  );

function createChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunkBytes = Buffer.alloc(body.length + 8);
  chunkBytes.writeUInt32BE(data.length, 0);
  body.copy(chunkBytes, 4);
  chunkBytes.writeUInt32BE(crc32(body), body.length + 4);
  return chunkBytes;
}
