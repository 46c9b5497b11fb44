import { describe, expect, it } from 'vitest';
import { parseCountry } from './country.ts';
import { parseCurrency } from './currency.ts';
import { parseDate, parseTimestamp } from './timestamp.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

describe('parseCountry', () => {
  it('knows every country of the runtime, each with its own code', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    const notCountries = new Set(
      'AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ AN BU CS DD DY FX HV NH NT RH SU TP UK VD YD YU ZR'.split(
        ' ',
      ),
    );
    const countries = pairs.filter(
      (code) => names.of(code) !== undefined && !notCountries.has(code),
    );
    expect(countries.filter((code) => parseCountry(code) === undefined)).toEqual([]);
    expect(new Set(countries.map(parseCountry)).size).toBe(countries.length);
  });

  it.each([
    ['us', 'USA'],
    ['USA', 'USA'],
    ['gb', 'GBR'],
    ['xkx', 'XKX'],
    ['UK', undefined],
    ['', undefined],
  ])('reads %j as %s', (text, expected) => {
    expect(parseCountry(text)).toBe(expected);
  });
});

describe('parseCurrency', () => {
  it.each([
    ['usd', 'USD'],
    ['JPY', 'JPY'],
    ['DEM', undefined],
    ['XAU', undefined],
    ['US', undefined],
  ])('reads %j as %s', (text, expected) => {
    expect(parseCurrency(text)).toBe(expected);
  });
});

describe('parseTimestamp', () => {
  it.each([
    ['2026-11-21T03:44:00Z', '2026-11-21T03:44:00.000000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000000Z'],
    ['2026-11-21 03:44', '2026-11-21T03:44:00.000000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000000Z'],
    ['2026-11-21T03:44:00.5+0000', '2026-11-21T03:44:00.500000Z'],
    ['0001-01-01T00:00:00+01:00', undefined],
    ['9999-12-31T23:59:59-01:00', undefined],
    ['2026-11-21T24:00:00Z', undefined],
    ['2026-11-31T00:00:00Z', undefined],
    ['2026-11-21T03:44:00+24:00', undefined],
    ['1795232640', undefined],
  ])('reads %s as %s', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected);
  });
});

describe('parseDate', () => {
  it.each([
    ['2024-02-29', '2024-02-29'],
    ['2026-02-29', undefined],
    ['0000-01-01', undefined],
    ['2026-1-1', undefined],
  ])('reads %s as %s', (text, expected) => {
    expect(parseDate(text)).toBe(expected);
  });
});
