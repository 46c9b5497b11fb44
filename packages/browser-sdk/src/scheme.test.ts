import { describe, expect, it } from 'vitest';
import { lightnessOf } from './scheme.ts';

describe('lightnessOf', () => {
  it.each([
    ['rgb(0, 0, 0)', 0],
    ['rgb(255, 255, 255)', 1],
    ['rgba(238, 241, 246, 0.9)', 0.95],
    ['color(srgb 0.9 0.95 1)', 0.95],
    ['oklch(0.21 0.03 264)', 0.21],
    ['oklab(0.98 0 0)', 0.98],
    ['lab(97 1 2)', 0.97],
  ])('of %s is about %f', (color, lightness) => {
    expect(lightnessOf(color)).toBeCloseTo(lightness, 1);
  });
});
