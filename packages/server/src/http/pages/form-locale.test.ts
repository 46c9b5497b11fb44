import { directionOf } from '@florin/contract/locales.ts';
import { describe, expect, it } from 'vitest';
import { type FormLocales, pickLocale } from './form-locale.ts';

const locales: FormLocales = new Map(
  ['en', 'de', 'nb', 'zh', 'ar'].map((tag) => [tag, { tag, texts: {} }]),
);

describe('the language of the form', () => {
  it.each([
    ['de', 'en', 'de'],
    ['de-AT', 'en', 'de'],
    ['DE_at', 'en', 'de'],
    ['no', 'en', 'nb'],
    ['zh-Hant-TW', 'en', 'zh'],
    ['', 'de-CH,de;q=0.9,en;q=0.8', 'de'],
    ['cy', 'ar, en;q=0.5', 'ar'],
    ['cy', 'ga, *;q=0.1', 'en'],
    ['', '', 'en'],
    ['constructor', '__proto__', 'en'],
  ])('wanted %j, accepted %j: %s', (wanted, accepted, tag) => {
    expect(pickLocale(locales, wanted, accepted).tag).toBe(tag);
  });

  it.each([
    ['ar', 'rtl'],
    ['ar-EG', 'rtl'],
    ['de', 'ltr'],
  ])('%s is written %s', (tag, direction) => {
    expect(directionOf(tag)).toBe(direction);
  });
});
