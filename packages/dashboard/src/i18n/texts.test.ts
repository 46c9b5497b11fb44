import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillIn, humanise, pluralKey } from './format-text.ts';
import { chooseLanguage, languages } from './languages.ts';

const read = (language: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, language, file), 'utf8'));

const filesOf = (language: string): string[] =>
  globSync('*.json', { cwd: join(import.meta.dirname, language) }).sort();

const variablesOf = (text = ''): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

/** English calls most things as the interface does, so that its file is shorter than the others. */
const NAMES = 'names.json';
/** Explanations are found by their English texts, which English needs no file for. */
const HELP = 'help.json';
const files = filesOf('en').map((file) => basename(file));

describe.each(languages.filter((language) => language !== 'en'))('the texts in %s', (language) => {
  it('have the files of English', () => {
    expect(filesOf(language)).toEqual(files);
  });

  it.each(files.filter((file) => file !== NAMES && file !== HELP))(
    'of %s are all there',
    (file) => {
      const [english, texts] = [read('en', file), read(language, file)];
      expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
      for (const [key, text] of Object.entries(texts)) {
        expect(text.trim(), key).not.toBe('');
        expect(variablesOf(text), key).toEqual(variablesOf(english[key]));
      }
    },
  );

  it('name the things that the others name', () => {
    const named = new Set(languages.flatMap((it) => Object.keys(read(it, NAMES))));
    expect([...named].filter((key) => !(key in read(language, NAMES)))).toEqual([]);
  });
});

it.each([
  [['fr-CA', 'en'], 'fr'],
  [['pt-BR', 'de'], 'de'],
  [['', 'ja'], 'en'],
])('of the languages %j, %s is shown', (wanted, language) => {
  expect(chooseLanguage(wanted)).toBe(language);
});

it('are filled in, and keep what nobody has filled in', () => {
  expect(fillIn('{count} of {total}', { count: 3 })).toBe('3 of {total}');
});

it('have forms for numbers', () => {
  expect([1, 2].map((count) => pluralKey('en', 'rows', count))).toEqual(['rows_one', 'rows_other']);
});

it('are made of names where there are none', () => {
  expect(humanise('payment_demands')).toBe('Payment demands');
});
