import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealer, isSealed, SEAL_KEY_BYTES } from './sealer.ts';

const key = () => randomBytes(SEAL_KEY_BYTES);
const location = { merchant_id: randomUUID(), id: randomUUID(), column: 'secret_key' };
const TEXT = 'whsec_é 42';

describe('a sealed text', () => {
  it('opens at its own location only, is unreadable, and is never the same twice', () => {
    const { seal, open } = createSealer([key()]);
    const [one, other] = [seal(TEXT, location), seal(TEXT, location)];
    expect([open(one, location), open(other, location)]).toEqual([TEXT, TEXT]);
    expect(one).toMatch(/^s1\.[A-Za-z0-9_-]+$/);
    expect(one).not.toBe(other);
    expect(Buffer.from(one.slice(3), 'base64url').includes(TEXT)).toBe(false);
  });

  it.each([
    ['merchant_id', randomUUID()],
    ['id', randomUUID()],
    ['column', 'previous_secret_key'],
  ])('does not open under another %s', (name, value) => {
    const { seal, open } = createSealer([key()]);
    expect(open(seal(TEXT, location), { ...location, [name]: value })).toBeUndefined();
  });

  it('does not open if a bit was changed, or if it was truncated', () => {
    const { seal, open } = createSealer([key()]);
    const bytes = Buffer.from(seal(TEXT, location).slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(open(`s1.${changed.toString('base64url')}`, location)).toBeUndefined();
      expect(open(`s1.${bytes.subarray(0, at).toString('base64url')}`, location)).toBeUndefined();
    }
  });

  it('opens with any of the keys, and is made with the first', () => {
    const [old, fresh] = [key(), key()];
    const sealed = createSealer([old]).seal(TEXT, location);
    const both = createSealer([fresh, old]);
    expect(both.open(sealed, location)).toBe(TEXT);
    expect(createSealer([fresh]).open(sealed, location)).toBeUndefined();
    expect(createSealer([fresh]).open(both.seal(TEXT, location), location)).toBe(TEXT);
  });
});

it('a text that was never sealed is returned unchanged', () => {
  expect(createSealer([key()]).open('plain', location)).toBe('plain');
  expect(isSealed('plain')).toBe(false);
});

it('a sealer needs a key', () => {
  expect(() => createSealer([])).toThrow('needs a key');
});
