import { describe, expect, it } from 'vitest';
import { type CodeType, choicesFor, codeName, codesOf, codeTypes, meantBy } from './codes.ts';

/** So many codes are looked up as there need to be: each looks at all others. */
const SAMPLE = 13;

const labels = (type: CodeType, locale: string, text: string): string[] =>
  choicesFor(codesOf(type, locale), text).map(({ label }) => label);

describe.each(codeTypes)('the choices of a %s', (type) => {
  it('are there once each, and are found by their code and by their name', () => {
    const choices = codesOf(type, 'en');
    expect(new Set(choices.map(({ value }) => value)).size).toBe(choices.length);
    for (const choice of choices.filter((_it, at) => at % SAMPLE === 0)) {
      expect(meantBy(choices, choice.value)?.value).toBe(choice.value);
      expect(meantBy(choices, choice.label)?.value, choice.label).toBe(choice.value);
    }
  });
});

describe('codes', () => {
  it.each<[CodeType, string, string, string]>([
    ['country', 'AUT', 'de', 'Österreich'],
    ['country', 'AUT', 'fr', 'Autriche'],
    ['currency', 'USD', 'es', 'USD – dólar estadounidense'],
    ['timezone', 'America/New_York', 'en', 'America/New York'],
    ['country', 'XYZ', 'en', 'XYZ'],
  ])('of a %s are called as people call them: %s in %s', (type, code, locale, name) => {
    expect(codeName(type, code, locale)).toBe(name);
  });

  it('stand in the order of the alphabet', () => {
    const countries = codesOf('country', 'de').map(({ label }) => label);
    expect(countries.indexOf('Österreich')).toBeLessThan(countries.indexOf('Polen'));
  });

  it.each<[CodeType, string, string, string]>([
    ['country', 'de', 'osterr', 'Österreich'],
    ['country', 'en', 'US', 'United States'],
    ['country', 'en', 'in', 'India'],
    ['country', 'en', "cote d'iv", 'Côte d’Ivoire'],
    ['currency', 'en', 'jpy', 'JPY – Japanese Yen'],
    ['currency', 'en', 'yen', 'JPY – Japanese Yen'],
    ['timezone', 'en', 'new york', 'America/New York'],
    ['timezone', 'en', 'utc', 'UTC'],
  ])('are found, the likeliest first: a %s in %s by %j', (type, locale, text, first) => {
    expect(labels(type, locale, text)[0]).toBe(first);
  });

  it('are not guessed where several may be meant, nor where nothing was typed', () => {
    expect(meantBy(codesOf('currency', 'en'), 'dollar')).toBeUndefined();
    expect(meantBy(codesOf('currency', 'en'), ' ')).toBeUndefined();
    expect(labels('currency', 'en', 'no such money')).toEqual([]);
  });
});
