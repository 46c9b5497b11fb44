import { describe, expect, it } from 'vitest';
import { createTranslator } from './translator.ts';

describe('the translator', () => {
  const translator = createTranslator(
    { tag: 'ar', texts: { help: 'A & {merchant}' } },
    'Asia/Tokyo',
  );

  it('isolates the direction of texts by others, and escapes them', () => {
    expect(translator.html('help', { merchant: '<b>$&</b>' })).toBe(
      'A &amp; <bdi>&lt;b&gt;$&amp;&lt;/b&gt;</bdi>',
    );
    expect(translator.text('help', { merchant: '<b>' })).toBe('A & <b>');
  });

  it('formats days in its time zone', () => {
    const english = createTranslator({ tag: 'en', texts: {} }, 'Asia/Tokyo');
    expect(english.date(Date.UTC(2026, 11, 31, 15))).toBe('January 1, 2027');
    expect(translator.direction).toBe('rtl');
  });
});
