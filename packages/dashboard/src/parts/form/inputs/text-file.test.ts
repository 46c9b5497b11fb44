import { describe, expect, it } from 'vitest';
import { withFile } from './text-file.ts';

const MAX = 40;
const file = (...parts: BlobPart[]): Blob => new Blob(parts);

describe('a text file', () => {
  it.each([
    ['', 'Sent on Monday.\r\nSigned for.\n', 'Sent on Monday.\nSigned for.'],
    ['Parcel 7\n', 'Signed for.', 'Parcel 7\n\nSigned for.'],
    ['Parcel 7', ' \n', 'Parcel 7'],
    ['', '\ufeffGrüße', 'Grüße'],
  ])('is appended to the typed text: %j and %j', async (typed, read, text) => {
    expect(await withFile(file(read), typed, MAX)).toEqual({ text });
  });

  it.each([
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
    ['text in UTF-16', new Uint8Array([0x41, 0x00, 0x42, 0x00])],
    ['a document', '%PDF-1.7\n\u0001\u0002'],
  ])('is refused: %s', async (_what, bytes) => {
    expect(await withFile(file(bytes), '', MAX)).toEqual({ problem: 'file_no_text' });
  });

  it.each([
    ['with what is there already', 'b'.repeat(MAX - 11), 'a'.repeat(10)],
    ['by itself', '', 'a'.repeat(MAX + 1)],
    ['by its size', '', 'a'.repeat(MAX * 5)],
  ])('is too long %s', async (_how, typed, read) => {
    expect(await withFile(file(read), typed, MAX)).toEqual({ problem: 'file_too_long' });
  });
});
