import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillIn, humanise, pluralKey } from './format-text.ts';
import { chooseLanguage, languages } from './languages.ts';

const ROOT = join(import.meta.dirname, '..');

/** Files of a language: the shared files, and those beside the pages. */
const filesIn = (language: string): string[] =>
  globSync([`i18n/${language}/*.json`, `pages/*/texts/${language}.json`], { cwd: ROOT }).sort();

/** Path of the same texts in another language. */
const inLanguage = (file: string, language: string): string =>
  file.replace(/\ben(?=\/|\.json$)/, language);

const read = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

const variablesOf = (text = ''): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

/** English uses most names of the interface, so its file is shorter than the others. */
const NAMES = 'i18n/en/names.json';
/** The English explanation is the key of its translations, so English needs no file. */
const HELP = 'i18n/en/help.json';
/** English shows the details of the server, which are English. */
const PROBLEMS = 'i18n/en/problems.json';
/** English shows the texts of the adapters, which are English. */
const PROCESSOR_FIELDS = 'i18n/en/processor-fields.json';
const files = filesIn('en');

it.each(files.filter((file) => file.startsWith('pages/')))(
  '%s is declared by its folder',
  (file) => {
    const [, folder] = file.split('/');
    const routes = readFileSync(join(ROOT, `pages/${folder}/routes.ts`), 'utf8');
    expect(routes).toMatch(new RegExp(`readonly '?${folder}'?: typeof english;`));
  },
);

describe.each(languages.filter((language) => language !== 'en'))('the texts in %s', (language) => {
  it('have the files of English', () => {
    expect(filesIn(language)).toEqual(files.map((file) => inLanguage(file, language)).sort());
  });

  it.each(files.filter((file) => ![NAMES, HELP, PROBLEMS, PROCESSOR_FIELDS].includes(file)))(
    'of %s are all there',
    (file) => {
      const [english, texts] = [read(file), read(inLanguage(file, language))];
      expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
      for (const [key, text] of Object.entries(texts)) {
        expect(text.trim(), key).not.toBe('');
        expect(variablesOf(text), key).toEqual(variablesOf(english[key]));
      }
    },
  );

  it('name the things that the others name', () => {
    const namesIn = (it: string) => read(inLanguage(NAMES, it));
    const named = new Set(languages.flatMap((it) => Object.keys(namesIn(it))));
    expect([...named].filter((key) => !(key in namesIn(language)))).toEqual([]);
  });
});

it.each([
  ['en', 'so far', /\bby now\b/],
  ['de', 'Anfechtung', /Zahlungsstreit/],
  ['es', 'el sandbox', /\b(?:la|una) sandbox\b/i],
])('the texts in %s say “%s”, and no other word for the same', (language, _word, other) => {
  const texts = filesIn(language).flatMap((file) => Object.values(read(file)));
  expect(texts.filter((text) => other.test(text))).toEqual([]);
});

it.each([
  [['fr-CA', 'en'], 'fr'],
  [['pt-BR', 'de'], 'de'],
  [['', 'ja'], 'en'],
])('of the languages %j, %s is shown', (wanted, language) => {
  expect(chooseLanguage(wanted)).toBe(language);
});

it.each(languages)(
  'the mode without payments begins with the name of the mode in %s',
  (language) => {
    const texts = read(`i18n/${language}/common.json`);
    expect(texts.mode_live_off?.startsWith(`${texts.mode_live} (`)).toBe(true);
  },
);

it('keep placeholders that have no value', () => {
  expect(fillIn('{count} of {total}', { count: 3 })).toBe('3 of {total}');
});

it('have plural forms', () => {
  expect([1, 2].map((count) => pluralKey('en', 'rows', count))).toEqual(['rows_one', 'rows_other']);
});

it('fall back to readable names', () => {
  expect(humanise('payment_demands')).toBe('Payment demands');
});
