import { readdirSync, readFileSync } from 'node:fs';
import { commonTextNames } from '@florin/contract/common-texts.ts';
import { locales } from '@florin/contract/locales.ts';
import { describe, expect, it } from 'vitest';
import { allTextsIn, textsIn } from './texts.ts';

/** Folders of texts with the maximum length of a text. */
const folders: readonly (readonly [name: string, length_max: number])[] = [
  ['common-texts/', 60],
  ['../../features/emails/locales/', 150],
  ['../../features/documents/locales/', 60],
  ['../../features/customer-page/pages/locales/', 140],
  ['../../features/checkout/pages/locales/', 150],
];

const folderOf = (name: string): URL => new URL(name, import.meta.url);
const textsOf = (name: string, tag: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${tag}.json`, folderOf(name)), 'utf8'));
const placeholdersIn = (text = ''): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

/** Texts of up to this many words may be equal in two languages. A longer equal text is untranslated. */
const SAME_WORDS_MAX = 3;

describe.each(folders)('the texts of %s', (name, length_max) => {
  const english = textsOf(name, 'en');

  it('exist in every language of customers', () => {
    const tags = readdirSync(folderOf(name)).map((name) => name.replace('.json', ''));
    expect(tags.toSorted()).toEqual(locales.toSorted());
  });

  it.each(locales)(
    'in %s are complete, translated, and have the placeholders of the English ones',
    (tag) => {
      const texts = textsOf(name, tag);
      expect(Object.keys(texts)).toEqual(Object.keys(english));
      for (const [name, text] of Object.entries(texts)) {
        expect(text.trim(), name).toBe(text);
        expect(text.length, name).toBeGreaterThan(0);
        expect(text.length, name).toBeLessThanOrEqual(length_max);
        expect(placeholdersIn(text), name).toEqual(placeholdersIn(english[name]));
        const isSame = tag !== 'en' && text === english[name];
        expect(isSame && text.split(' ').length > SAME_WORDS_MAX, name).toBe(false);
      }
    },
  );
});

it('common texts are in each folder, and no folder redefines one', () => {
  const commonTexts = textsOf('common-texts/', 'de');
  expect(Object.keys(commonTexts)).toEqual([...commonTextNames]);
  for (const [name] of folders.slice(1)) {
    const ownTexts = textsOf(name, 'de');
    expect(Object.keys(ownTexts).filter((name) => name in commonTexts)).toEqual([]);
    expect(allTextsIn(folderOf(name)).get('de')).toEqual({ ...commonTexts, ...ownTexts });
    expect(textsIn(folderOf(name))('de')('test_mode')).toBe(commonTexts.test_mode);
  }
});
