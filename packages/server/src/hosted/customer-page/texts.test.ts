import { readdirSync, readFileSync } from 'node:fs';
import { locales } from '@florin/contract/locales.ts';
import { describe, expect, it } from 'vitest';
import { createSpeech } from './speech.ts';

const folder = new URL('locales/', import.meta.url);
const textsOf = (tag: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${tag}.json`, folder), 'utf8'));
const placesIn = (text = ''): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

const english = textsOf('en');
/** Long enough for every text, short enough for a phone. */
const LENGTH_MAX = 140;

describe('the texts of the customers’ pages', () => {
  it('are there in every language that customers are spoken to in', () => {
    const tags = readdirSync(folder).map((name) => name.replace('.json', ''));
    expect(tags.toSorted()).toEqual([...locales]);
  });

  it.each(locales)('in %s are all there, with the places of the English ones', (tag) => {
    const texts = textsOf(tag);
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const [name, text] of Object.entries(texts)) {
      expect(text.trim(), name).toBe(text);
      expect(text.length, name).toBeGreaterThan(0);
      expect(text.length, name).toBeLessThanOrEqual(LENGTH_MAX);
      expect(placesIn(text), name).toEqual(placesIn(english[name]));
    }
  });

  it.each(locales.filter((tag) => tag !== 'en'))('in %s are translated', (tag) => {
    const same = Object.entries(textsOf(tag)).filter(([name, text]) => text === english[name]);
    expect(same.filter(([, text]) => text.split(' ').length > 2)).toEqual([]);
  });
});

describe('speech', () => {
  const speech = createSpeech({ tag: 'ar', texts: { help: 'A & {merchant}' } }, 'Asia/Tokyo');

  it('keeps what others have written apart, as text', () => {
    expect(speech.html('help', { merchant: '<b>$&</b>' })).toBe(
      'A &amp; <bdi>&lt;b&gt;$&amp;&lt;/b&gt;</bdi>',
    );
    expect(speech.text('help', { merchant: '<b>' })).toBe('A & <b>');
  });

  it('tells days of its time zone', () => {
    const english = createSpeech({ tag: 'en', texts: {} }, 'Asia/Tokyo');
    expect(english.date(Date.UTC(2026, 11, 31, 15))).toBe('January 1, 2027');
    expect(speech.direction).toBe('rtl');
  });
});
