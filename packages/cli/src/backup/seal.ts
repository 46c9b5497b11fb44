import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Key and name of a sealed file. A file opens under its own name only, so files cannot be exchanged. */
export interface Sealing {
  readonly secret: Buffer;
  readonly name: string;
}

/** Keys that may have sealed a file, and its name. */
export interface Unsealing {
  readonly secrets: readonly Buffer[];
  readonly name: string;
  /** Gets the index of the key that opens the file. */
  readonly onKey?: (index: number) => void;
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
  unsealing: Unsealing,
): AsyncGenerator<Buffer> {
  const { secrets, name, onKey } = unsealing;
  const source = stream[Symbol.asyncIterator]();
  const { header, rest } = await readHeader(source, unsealing);
  const salt = header.subarray(MAGIC.length);
  let candidates = secrets.map((secret) => fileKey({ secret, name }, salt));
  for await (const { chunk, number, isLast } of numbered(rest, CHUNK_BYTES + TAG_BYTES)) {
    const opened = openChunk(chunk, candidates, nonceOf(number, isLast), name);
    // The first chunk tells which key it is.
    if (candidates.length > 1) candidates = [candidates[opened.index] as Buffer];
    if (number === 0) onKey?.(opened.index);
    yield opened.plain;
  }
}

/** Opens a chunk with the first key that fits. */
function openChunk(chunk: Buffer, keys: readonly Buffer[], nonce: Buffer, name: string) {
  if (chunk.length < TAG_BYTES) throw new SealBroken(`${name} is cut off`);
  let cause: unknown;
  for (const [index, key] of keys.entries()) {
    const decipher = createDecipheriv(CIPHER, key, nonce);
    decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
    try {
      const plain = Buffer.concat([
        decipher.update(chunk.subarray(0, -TAG_BYTES)),
        decipher.final(),
      ]);
      return { plain, index };
    } catch (error) {
      cause = error;
    }
  }
  throw new SealBroken(`${name} was changed, or is sealed with another key`, { cause });
}

async function readHeader(source: AsyncIterator<Uint8Array>, { name }: Pick<Sealing, 'name'>) {
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
