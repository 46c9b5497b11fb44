import { describe, expect, it } from 'vitest';
import { type CodeType, choiceOf, choicesFor, codeName, codesOf, codeTypes } from './codes.ts';

/** Interval of the tested codes: each check compares a code with all other codes, so only every 13th is tested. */
const SAMPLE = 13;

const labels = (type: CodeType, locale: string, text: string): string[] =>
  choicesFor(codesOf(type, locale), text).map(({ label }) => label);

describe.each(codeTypes)('the choices of a %s', (type) => {
  it('are unique, and are found by code and by name', () => {
    const choices = codesOf(type, 'en');
    expect(new Set(choices.map(({ value }) => value)).size).toBe(choices.length);
    for (const choice of choices.filter((_it, at) => at % SAMPLE === 0)) {
      expect(choiceOf(choices, choice.value)?.value).toBe(choice.value);
      expect(choiceOf(choices, choice.label)?.value, choice.label).toBe(choice.value);
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

  it('are in alphabetical order', () => {
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

  it('are not guessed for ambiguous or empty input', () => {
    expect(choiceOf(codesOf('currency', 'en'), 'dollar')).toBeUndefined();
    expect(choiceOf(codesOf('currency', 'en'), ' ')).toBeUndefined();
    expect(labels('currency', 'en', 'no such money')).toEqual([]);
  });
});
