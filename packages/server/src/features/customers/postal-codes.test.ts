import { expect, it } from 'vitest';
import { hasPostalForm } from './postal-codes.ts';

it.each([
  ['USA', '10001'],
  ['USA', '10001-1234'],
  ['CAN', 'k1a 0b1'],
  ['GBR', 'SW1A 1AA'],
  ['GBR', 'M1 1AE'],
  ['DEU', '10115'],
  ['DEU', 'D-10115'],
  ['SWE', '111 22'],
  ['NLD', '1012 ab'],
  ['POL', '00-950'],
  ['PRT', '1000-001'],
  ['BRA', '01001-000'],
  ['JPN', '〒100-0001'],
  ['JPN', '１００−０００１'],
  ['IRL', 'D02 AF30'],
  ['HKG', ''],
])('in %s the postal code %s is one', (country, zip) => {
  expect(hasPostalForm(country, zip)).toBe(true);
});

it.each([
  ['USA', '1'],
  ['USA', '1000'],
  ['USA', '100011'],
  ['USA', 'SW1A 1AA'],
  ['CAN', '10001'],
  ['GBR', 'SW1'],
  ['DEU', '1011'],
  ['DEU', ''],
  ['NLD', '1012'],
])('in %s the postal code %s is none', (country, zip) => {
  expect(hasPostalForm(country, zip)).toBe(false);
});
