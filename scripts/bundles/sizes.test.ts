import { describe, expect, it } from 'vitest';
import { checkSizes, sizesOf } from './sizes.ts';

const builtSizes = (gzipped: Readonly<Record<string, number>>) =>
  Object.entries(gzipped).map(([output, size]) => ({ output, bytes: size * 3, gzipped: size }));

const goodSizes = {
  'browser-sdk/dist/florin.js': 2_900,
  'browser-sdk/dist/florin.mjs': 2_900,
  'hosted-fields/dist/form.js': 10_000,
  'hosted-fields/dist/form-embedded.js': 11_000,
  'hosted-fields/dist/form-wallets.js': 11_200,
  'hosted-fields/dist/form-embedded-wallets.js': 12_200,
  'hosted-fields/dist/locales/en.json': 1_000,
  'hosted-fields/dist/locales/el.json': 2_000,
  'dashboard/first-view/sign-in': 150_000,
  'dashboard/first-view/overview': 190_000,
};

describe('the sizes of what browsers load', () => {
  it('are within their limits, the frame with its longest language', () => {
    expect(sizesOf(builtSizes(goodSizes)).map(({ bytes }) => bytes)).toEqual([
      2_900, 2_900, 12_000, 13_000, 13_200, 14_200, 150_000, 190_000,
    ]);
    expect(() => checkSizes(sizesOf(builtSizes(goodSizes)))).not.toThrow();
  });

  it.each([
    ['browser-sdk/dist/florin.mjs', 3_001, /loader, module/],
    ['hosted-fields/dist/form.js', 10_001, /form with/],
    ['hosted-fields/dist/form-wallets.js', 11_601, /form with wallets/],
    ['hosted-fields/dist/locales/el.json', 2_001, /form with/],
    ['dashboard/first-view/overview', 200_001, /dashboard, overview/],
  ])('fail the build when %s has %d bytes', (name, size, culprit) => {
    expect(() => checkSizes(sizesOf(builtSizes({ ...goodSizes, [name]: size })))).toThrow(culprit);
  });

  it('fail the build when a part is missing', () => {
    expect(() => checkSizes(sizesOf(builtSizes({})))).toThrow(/loader/);
  });
});
