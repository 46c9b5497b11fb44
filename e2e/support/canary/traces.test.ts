import { describe, expect, it } from 'vitest';
import { createCanaryCard } from './cards.ts';
import { createTracer } from './traces.ts';

const { number } = createCanaryCard('visa', 0);
const otherNumber = createCanaryCard('amex', 1).number;
const tracer = createTracer(
  [{ name: 'the canary', digits: number }],
  [{ name: 'the sealed one', bytes: Buffer.from([1, 2, 3, 250, 251]) }],
);
const encodeInteger = (write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(8);
  write(bytes);
  return bytes;
};
/** Encodes like PostgreSQL's `numeric`: words of four digits each, without trailing zeros. */
const encodeNumeric = (...groups: number[]): Buffer =>
  Buffer.concat(
    groups.map((word) => encodeInteger((bytes) => bytes.writeUInt16LE(word)).subarray(0, 2)),
  );
const groups = number.match(/\d{4}/g)!;

describe('a number is found', () => {
  it.each<[how: string, bytes: Buffer | string]>([
    ['plain', number],
    ['among other digits', `77${number}77`],
    ['with blanks', groups.join(' ')],
    ['with dashes and blanks', groups.join(' - ')],
    ['digit by digit', [...number].join('.')],
    ['over lines', groups.join('\r\n')],
    ['in UTF-16', Buffer.from(number, 'utf16le')],
    ['in UTF-16 with blanks', Buffer.from(groups.join(' '), 'utf16le')],
    ['in hex', Buffer.from(number).toString('hex')],
    ['in base64', Buffer.from(number).toString('base64')],
    ['in base64 one byte on', Buffer.from(`"${number}"`).toString('base64')],
    ['in base64 two bytes on', Buffer.from(`: ${number}.`).toString('base64')],
    ['percent-encoded', number.replace(/\d/g, '%3$&')],
    ['in JSON escapes', number.replace(/\d/g, '\\u003$&')],
    ['as a 64-bit integer', encodeInteger((bytes) => bytes.writeBigInt64LE(BigInt(number)))],
    ['as one in network order', encodeInteger((bytes) => bytes.writeBigInt64BE(BigInt(number)))],
    ['as a double', encodeInteger((bytes) => bytes.writeDoubleLE(Number(number)))],
    ['as a numeric', encodeNumeric(...groups.map(Number))],
    ['as a hex integer', BigInt(number).toString(16)],
  ])('%s', (_how, bytes) => {
    const chunks = [Buffer.from('before x'), Buffer.from(bytes), Buffer.from('x after')];
    expect(tracer.find(Buffer.concat(chunks))).not.toEqual([]);
  });
});

it('raw bytes are found', () => {
  expect(tracer.find(Buffer.from([9, 1, 2, 3, 250, 251, 9]))).toEqual(['the sealed one']);
});

it.each([
  ['another number', otherNumber],
  ['all but its last digit', number.slice(0, -1)],
  ['its halves, apart', `${number.slice(0, 8)} and ${number.slice(8)}`],
  ['nothing', ''],
])('%s is no trace', (_what, text) => {
  expect(tracer.find(Buffer.from(text))).toEqual([]);
});

it('reports never repeat the digits', () => {
  expect(tracer.find(Buffer.from(number)).join()).not.toMatch(/\d{4}/);
});
