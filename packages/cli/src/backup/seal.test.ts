import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { SealBroken, sealed, unsealed } from './seal.ts';

const CHUNK = 1024 ** 2;
const SEALED_CHUNK = CHUNK + 16;
const HEADER = 24;
const sealing = { secret: randomBytes(32), name: 'wal/000000010000000000000001' };

const collect = async (stream: AsyncIterable<Uint8Array>) => {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};
/** A stream in parts of `size` bytes. */
const inParts = (bytes: Buffer, size = 65_536) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, part) =>
      bytes.subarray(part * size, (part + 1) * size),
    ),
  );
const seal = (plain: Buffer) => collect(sealed(inParts(plain), sealing));
const open = (bytes: Buffer, over = {}) =>
  collect(unsealed(inParts(bytes), { secrets: [sealing.secret], name: sealing.name, ...over }));

describe('a sealed file', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])('of %i bytes opens', async (bytes) => {
    const plain = randomBytes(bytes);
    const file = await seal(plain);
    expect(bytes > 64 && file.includes(plain.subarray(0, 64))).toBe(false);
    expect((await open(file)).equals(plain)).toBe(true);
  });

  it('differs each time', async () => {
    const plain = Buffer.alloc(100);
    expect((await seal(plain)).equals(await seal(plain))).toBe(false);
  });

  const swapped = (file: Buffer) =>
    Buffer.concat([
      file.subarray(0, HEADER),
      file.subarray(HEADER + SEALED_CHUNK, HEADER + 2 * SEALED_CHUNK),
      file.subarray(HEADER, HEADER + SEALED_CHUNK),
      file.subarray(HEADER + 2 * SEALED_CHUNK),
    ]);
  const flipped = (file: Buffer, at: number) => {
    const copy = Buffer.from(file);
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
    return copy;
  };
  it.each<[string, (file: Buffer) => Buffer]>([
    ['one changed bit', (file) => flipped(file, HEADER + 5)],
    ['a changed salt', (file) => flipped(file, 9)],
    ['two chunks exchanged', swapped],
    ['its last chunk missing', (file) => file.subarray(0, HEADER + 2 * SEALED_CHUNK)],
    ['its last byte missing', (file) => file.subarray(0, -1)],
    ['only its header', (file) => file.subarray(0, HEADER)],
    ['half of its header', (file) => file.subarray(0, 10)],
    ['bytes at its end', (file) => Buffer.concat([file, Buffer.alloc(1)])],
    ['another beginning', (file) => flipped(file, 0)],
  ])('with %s is refused', async (_name, change) => {
    const file = change(await seal(randomBytes(2 * CHUNK + 5)));
    await expect(open(file)).rejects.toThrow(SealBroken);
  });

  it('opens under its own name and key only', async () => {
    const file = await seal(Buffer.from('text'));
    await expect(open(file, { name: 'wal/000000010000000000000002' })).rejects.toThrow(SealBroken);
    await expect(open(file, { secrets: [randomBytes(32)] })).rejects.toThrow(SealBroken);
  });
});

it('a file sealed before a rotation opens with the older of two keys', async () => {
  const plain = randomBytes(2 * CHUNK);
  const used: number[] = [];
  const over = {
    secrets: [randomBytes(32), sealing.secret],
    onKey: (index: number) => used.push(index),
  };
  expect((await open(await seal(plain), over)).equals(plain)).toBe(true);
  expect(used).toEqual([1]);
});
