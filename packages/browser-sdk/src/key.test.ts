import { describe, expect, it } from 'vitest';
import { checkPublishableKey } from './key.ts';

describe('checkPublishableKey', () => {
  it.each(['ept_sandbox_bsQsnYGFoLvE2Qt7tmsvuDESB', 'ept_live_bQ8', 'ept_live_gMDE5-_w.k3-_'])(
    'takes %s',
    (key) => {
      expect(checkPublishableKey(key)).toBe(key);
    },
  );

  it.each([
    '',
    'ept_test_b1',
    'ept_live_b',
    'pk_live_1',
    'ept_live_b1&x=1',
    'ept_live_g1&x=1',
    undefined,
    7,
  ])('refuses %s', (key) => {
    expect(() => checkPublishableKey(key)).toThrow(/must look like ept_sandbox_b/);
  });

  it('refuses a secret key without repeating it', () => {
    const body = 'sQsnYGFoLvE2Qt7tmsvuDESB';
    const check = () => checkPublishableKey(`ept_live_${body}`);
    expect(check).toThrow(/secret key/);
    expect(check).not.toThrow(new RegExp(body));
  });
});
