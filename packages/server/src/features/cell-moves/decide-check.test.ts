import { describe, expect, it } from 'vitest';
import {
  type CheckKind,
  cellCheckText,
  checkMerchant,
  type MerchantHolder,
  SHOWN_MAX,
} from './decide-check.ts';

const merchant_id = '018f0000-0000-7000-8000-000000000001';
/** Cells that have the merchant, such as `a b:moved`. */
const holdersOf = (words: string): MerchantHolder[] =>
  words
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [cell = '', stop] = word.split(':');
      return { cell, stop };
    });

describe('a merchant', () => {
  it.each<[string | undefined, string, string, CheckKind | undefined]>([
    ['a', 'a', '', undefined],
    ['a', '', '', 'lost'],
    ['a', '', 'c', undefined],
    ['a', '', 'a', undefined],
    ['a', 'b', 'a', undefined],
    ['a', 'b', 'c', 'outdated'],
    ['a', 'b:moved', '', 'outdated'],
    ['a', 'a:moved b', '', 'outdated'],
    ['a', 'a b', '', 'doubled'],
    ['a', 'b c', '', 'doubled'],
    ['a', 'a b:moved', '', 'remains'],
    ['a', 'a:moved', '', 'stopped'],
    ['a', 'a:fenced b:arriving', '', 'stopped'],
    [undefined, 'a', '', 'missing'],
    [undefined, '', '', undefined],
  ])(
    'of the directory in %s, and in cells "%s", while "%s" does not answer',
    (named, held, silent, kind) => {
      const places = { merchant_id, named, holders: holdersOf(held) };
      expect(checkMerchant(places, new Set(silent ? [silent] : []))?.kind).toBe(kind);
    },
  );
});

describe('the text', () => {
  it('has a limit for each kind', () => {
    const finding = { kind: 'doubled', merchant_id, next_step: 'compare' } as const;
    const lines = cellCheckText(Array(SHOWN_MAX + 5).fill(finding), []).split('\n');
    expect(lines).toHaveLength(SHOWN_MAX + 2);
    expect(lines.at(-1)).toBe('  and 5 more');
  });
});
