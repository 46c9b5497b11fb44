import { describe, expect, it } from 'vitest';
import { createSpeech } from './speech.ts';

describe('speech', () => {
  const speech = createSpeech({ tag: 'ar', texts: { help: 'A & {merchant}' } }, 'Asia/Tokyo');

  it('keeps what others have written apart, as text', () => {
    expect(speech.html('help', { merchant: '<b>$&</b>' })).toBe(
      'A &amp; <bdi>&lt;b&gt;$&amp;&lt;/b&gt;</bdi>',
    );
    expect(speech.text('help', { merchant: '<b>' })).toBe('A & <b>');
  });

  it('shows days in its time zone', () => {
    const english = createSpeech({ tag: 'en', texts: {} }, 'Asia/Tokyo');
    expect(english.date(Date.UTC(2026, 11, 31, 15))).toBe('January 1, 2027');
    expect(speech.direction).toBe('rtl');
  });
});
