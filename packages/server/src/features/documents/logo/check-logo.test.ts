import { LOGO_BYTES_MAX } from '@florin/contract/document-logo.ts';
import { describe, expect, it } from 'vitest';
import { jpegBytes, pdfBytes, pngOf } from '../../../../tests/support/evidence-files.ts';
import { checkLogo } from './check-logo.ts';

describe('a logo is accepted', () => {
  it.each([
    ['a PNG in colours', pngOf({ width: 300, height: 80, color: 2 }), 'image/png'],
    ['a PNG with transparency', pngOf({ width: 300, height: 80, color: 6 }), 'image/png'],
    ['a PNG of the largest size', pngOf({ width: 2000, height: 2000, color: 0 }), 'image/png'],
    ['a JPEG', jpegBytes(), 'image/jpeg'],
  ])('%s', async (_, bytes, content_type) => {
    expect(await checkLogo(bytes)).toEqual({ content_type });
  });
});

describe('a logo is refused', () => {
  it.each([
    ['that is empty', Buffer.alloc(0), /neither PNG nor JPEG/],
    ['that is a PDF', pdfBytes(), /neither PNG nor JPEG/],
    [
      'that is made of vectors',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      /neither/,
    ],
    ['with too many bytes', Buffer.alloc(LOGO_BYTES_MAX + 1), /at most 150000 bytes/],
    ['whose PNG is too wide', pngOf({ width: 2001, height: 1 }), /2000 × 2000/],
    ['whose JPEG is too high', jpegBytes('ffc0000b0807d1000101011100'), /2000 × 2000/],
    ['whose PNG is interlaced', pngOf({ interlace: 1 }), /interlac/],
    ['whose PNG has an unknown kind of pixels', pngOf({ color: 5 }), /kind of pixels/],
    ['whose PNG has fewer pixels than it says', pngOf({ height: 4, rows: 3 }), /damaged/],
    ['whose PNG inflates to more than it says', pngOf({ rows: 50_000_000 }), /damaged/],
    ['whose PNG is cut off', pngOf({}).subarray(0, -12), /cut off/],
  ])('%s', async (_, bytes, fault) => {
    expect(await checkLogo(bytes)).toEqual({ fault: expect.stringMatching(fault) });
  });
});
