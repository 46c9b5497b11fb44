import { expect, it } from 'vitest';
import { quantityText, unitOf } from './quantity.ts';

it.each([
  ['window_seconds', 3_600, 'en', '1 hour'],
  ['window_seconds', 86_400, 'de', '1 Tag'],
  ['window_seconds', 5_400, 'en', '1 hour, 30 minutes'],
  ['ahead_seconds', 0, 'fr', '0 seconde'],
  ['duration_ms', 850, 'en', '850 ms'],
  ['duration_ms', 1_250, 'en', '1.3 sec'],
  ['size_bytes', 12_340, 'en', '12.3 kB'],
  ['size_bytes', 2_500_000, 'de', '2,5 MB'],
  ['ownership_percentage', 25, 'en', '25%'],
  ['ownership_percentage', 25, 'fr', '25 %'],
  ['max_count', 20, 'en', undefined],
])('%s of %i in %s is %s', (name, value, locale, text) => {
  expect(quantityText(name, value, locale)?.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(text);
});

it.each([
  [86_400, 'day'],
  [7_200, 'hour'],
  [5_400, 'minute'],
  [61, 'second'],
  [0, 'second'],
])('%i seconds are typed in the unit %s', (seconds, unit) => {
  expect(unitOf(seconds)).toBe(unit);
});
