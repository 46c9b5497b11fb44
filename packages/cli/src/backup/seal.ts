import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Key and name of a sealed file. A file opens under its own name only, so files cannot be exchanged. */
export interface Sealing {
  readonly secret: Buffer;
  readonly name: string;
}

/** Thrown if a sealed file was changed, cut off, renamed, or sealed with another key. */
export class SealBroken extends Error {
  override name = 'SealBroken';
}

const CIPHER = 'aes-256-gcm';
const MAGIC = Buffer.from('FLRNBK1\n');
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const CHUNK_BYTES = 1024 ** 2;

/**
 * Seals a stream: a header with a random salt, then chunks of AES-256-GCM. The nonce of a chunk is its number and
 * whether it is the last (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015).
 */
export async function* sealed(
  plain: AsyncIterable<Uint8Array>,
  sealing: Sealing,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const key = fileKey(sealing, salt);
  yield Buffer.concat([MAGIC, salt]);
  for await (const { chunk, number, isLast } of numbered(plain, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, nonceOf(number, isLast));
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Opens a sealed stream. Yields only what was authenticated; throws `SealBroken` at the first wrong byte. */
export async function* unsealed(
  stream: AsyncIterable<Uint8Array>,
  sealing: Sealing,
): AsyncGenerator<Buffer> {
  const source = stream[Symbol.asyncIterator]();
  const { header, rest } = await readHeader(source, sealing);
  const key = fileKey(sealing, header.subarray(MAGIC.length));
  for await (const { chunk, number, isLast } of numbered(rest, CHUNK_BYTES + TAG_BYTES))
    yield openChunk(chunk, key, nonceOf(number, isLast), sealing);
}

function openChunk(chunk: Buffer, key: Buffer, nonce: Buffer, { name }: Sealing): Buffer {
  if (chunk.length < TAG_BYTES) throw new SealBroken(`${name} is cut off`);
  const decipher = createDecipheriv(CIPHER, key, nonce);
  decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new SealBroken(`${name} was changed, or is sealed with another key`, { cause });
  }
}

async function readHeader(source: AsyncIterator<Uint8Array>, { name }: Sealing) {
  let read = Buffer.alloc(0);
  const length = MAGIC.length + SALT_BYTES;
  while (read.length < length) {
    const { value, done } = await source.next();
    if (done) throw new SealBroken(`${name} is cut off`);
    read = Buffer.concat([read, value]);
  }
  if (!read.subarray(0, MAGIC.length).equals(MAGIC))
    throw new SealBroken(`${name} is no sealed file`);
  async function* rest() {
    yield read.subarray(length);
    yield* { [Symbol.asyncIterator]: () => source };
  }
  return { header: read.subarray(0, length), rest: rest() };
}

/** Cuts a stream into chunks of `size` bytes. The last may be shorter, and exists also for an empty stream. */
async function* numbered(stream: AsyncIterable<Uint8Array>, size: number) {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    if (length <= size) continue;
    let whole: Buffer = Buffer.concat(parts);
    for (; whole.length > size; whole = whole.subarray(size))
      yield { chunk: whole.subarray(0, size), number: number++, isLast: false };
    parts = [whole];
    length = whole.length;
  }
  yield { chunk: Buffer.concat(parts), number, isLast: true };
}

const fileKey = ({ secret, name }: Sealing, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, `florin backup file ${name}`, KEY_BYTES));

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(number), 0);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}
