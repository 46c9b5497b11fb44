import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';

const defaultOptions = {
  scheme: 'light',
  debug: false,
  applePay: false,
  googlePay: false,
  appearance: {},
};
const hash = (options: unknown): string => `#${encodeURIComponent(JSON.stringify(options))}`;

describe('the options of the form', () => {
  it('come from the fragment that the page wrote', () => {
    const options = {
      scheme: 'dark',
      debug: true,
      applePay: true,
      googlePay: true,
      appearance: { color: '#123' },
    };
    expect(readOptions(hash(options))).toEqual(options);
  });

  it.each(['', '#', '#%', '#null', '#[]', '#7', '#{"a"', hash({ scheme: 7 })])(
    'have their defaults if the fragment is %s',
    (text) => {
      expect(readOptions(text)).toEqual(defaultOptions);
    },
  );

  it('stay within their closed sets whatever the fragment holds', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const options = readOptions(hash(value ?? null));
        expect(['light', 'dark']).toContain(options.scheme);
        expect([typeof options.applePay, typeof options.googlePay]).toEqual(['boolean', 'boolean']);
      }),
    );
  });
});
