import { readdirSync, readFileSync } from 'node:fs';
import { declineCodes } from '@florin/contract/decline-codes.ts';
import { describe, expect, it } from 'vitest';
import { createTexts, localised } from './texts.ts';

const folder = new URL('locales/', import.meta.url);
const tags = readdirSync(folder).map((name) => name.replace('.json', ''));
const textsOf = (tag: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${tag}.json`, folder), 'utf8'));
const places = (text: string | undefined): string[] => text?.match(/\{\w+\}/g) ?? [];

const english = textsOf('en');
/** Characters that fit a narrow form. */
const LENGTH_MAX = 130;

describe('the texts of the form', () => {
  it('exist in twenty languages, including one from right to left', () => {
    expect(tags).toHaveLength(20);
    expect(tags).toContain('ar');
  });

  it.each(tags)('in %s are complete and have the placeholders of the English ones', (tag) => {
    const texts = textsOf(tag);
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const [name, text] of Object.entries(texts)) {
      expect(text.trim(), name).toBe(text);
      expect(text.length, name).toBeGreaterThan(0);
      expect(text.length, name).toBeLessThanOrEqual(LENGTH_MAX);
      expect(places(text), name).toEqual(places(english[name]));
    }
  });

  it.each(tags.filter((tag) => tag !== 'en'))('in %s are translated', (tag) => {
    const same = Object.entries(textsOf(tag)).filter(([name, text]) => text === english[name]);
    // Words and date formats may be the same in two languages, sentences may not.
    expect(same.filter(([, text]) => text.split(' ').length > 3)).toEqual([]);
  });

  it.each(tags)(
    'in %s have a number, a price and the names of countries from the browser',
    (tag) => {
      expect(Intl.NumberFormat.supportedLocalesOf(tag)).toEqual([tag]);
      expect(Intl.DisplayNames.supportedLocalesOf(tag)).toEqual([tag]);
    },
  );

  it('fill placeholders, and render nothing for an unknown text', () => {
    const text = createTexts({ pay: 'Pay {amount} or {other}' });
    expect(text('pay', { amount: '$1' })).toBe('Pay $1 or ');
    expect(text('paid')).toBe('');
  });
});

describe('the message of an event', () => {
  const text = createTexts(textsOf('de'));

  it.each(Object.keys(declineCodes))('is in the language of the form for %s', (code) => {
    const { message } = localised(text, { code, message: 'English' });
    expect(message).not.toBe('English');
  });

  it('does not reveal to the cardholder that a card is known to be stolen', () => {
    const [stolen, generic] = ['stolen_card', 'generic_decline'].map((code) =>
      localised(text, { code }),
    );
    expect(stolen?.message).toBe(generic?.message);
    expect(stolen?.code).toBe('stolen_card');
  });

  it('stays unchanged for an unknown code', () => {
    const detail = { code: 'brand_new', message: 'English' };
    expect(localised(text, detail)).toEqual(detail);
    expect(localised(text, {})).toEqual({});
  });
});
