import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealer, isSealed, SEAL_KEY_BYTES } from './sealer.ts';

const createKey = () => randomBytes(SEAL_KEY_BYTES);
const location = { merchant_id: randomUUID(), id: randomUUID(), column: 'secret_key' };
const TEXT = 'whsec_é 42';

describe('a sealed text', () => {
  it('opens at its own location only, is unreadable, and is never the same twice', () => {
    const { seal, open } = createSealer([createKey()]);
    const [firstText, secondText] = [seal(TEXT, location), seal(TEXT, location)];
    expect([open(firstText, location), open(secondText, location)]).toEqual([TEXT, TEXT]);
    expect(firstText).toMatch(/^s1\.[A-Za-z0-9_-]+$/);
    expect(firstText).not.toBe(secondText);
    expect(Buffer.from(firstText.slice(3), 'base64url').includes(TEXT)).toBe(false);
  });

  it.each([
    ['merchant_id', randomUUID()],
    ['id', randomUUID()],
    ['column', 'previous_secret_key'],
  ])('does not open under another %s', (name, value) => {
    const { seal, open } = createSealer([createKey()]);
    expect(open(seal(TEXT, location), { ...location, [name]: value })).toBeUndefined();
  });

  it('does not open if a bit was changed, or if it was truncated', () => {
    const { seal, open } = createSealer([createKey()]);
    const bytes = Buffer.from(seal(TEXT, location).slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changedBytes = Buffer.from(bytes);
      changedBytes[at] = (changedBytes[at] ?? 0) ^ 1;
      expect(open(`s1.${changedBytes.toString('base64url')}`, location)).toBeUndefined();
      expect(open(`s1.${bytes.subarray(0, at).toString('base64url')}`, location)).toBeUndefined();
    }
  });

  it('opens with any of the keys, and is made with the first', () => {
    const [oldKey, newKey] = [createKey(), createKey()];
    const sealedText = createSealer([oldKey]).seal(TEXT, location);
    const rotatedSealer = createSealer([newKey, oldKey]);
    expect(rotatedSealer.open(sealedText, location)).toBe(TEXT);
    expect(createSealer([newKey]).open(sealedText, location)).toBeUndefined();
    expect(createSealer([newKey]).open(rotatedSealer.seal(TEXT, location), location)).toBe(TEXT);
  });
});

it('a text that was never sealed is returned unchanged', () => {
  expect(createSealer([createKey()]).open('plain', location)).toBe('plain');
  expect(isSealed('plain')).toBe(false);
});

it('a sealer needs a key', () => {
  expect(() => createSealer([])).toThrow('needs a key');
});
