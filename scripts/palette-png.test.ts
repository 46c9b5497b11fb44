import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { withPalette } from './palette-png.ts';

const createChunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
};

/** A picture of two by two pixels with one filter per row. */
function createPicture(rows: readonly number[][]): Buffer {
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([
    Buffer.alloc(8),
    createChunk('IHDR', header),
    createChunk('IDAT', data),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
}

const paletteIn = (png: Buffer): number[] => {
  const at = png.indexOf('PLTE');
  return [...png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))];
};

it('has each colour of a picture once, whichever filters its rows have', () => {
  const png = createPicture([
    [1, 10, 20, 30, 0, 0, 0],
    [2, 0, 0, 0, 5, 5, 5],
  ]);
  expect(paletteIn(withPalette(png))).toEqual([10, 20, 30, 15, 25, 35]);
});

it('refuses pictures that no browser makes', () => {
  const png = createPicture([]);
  png[8 + 8 + 8] = 16;
  expect(() => withPalette(png)).toThrow(/browsers/);
});
