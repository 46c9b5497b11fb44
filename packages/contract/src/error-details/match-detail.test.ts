import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { matchDetail } from './match-detail.ts';
import { type DetailName, detailTemplates } from './templates.ts';

const FOLDER = join(import.meta.dirname, 'texts');
const names = Object.keys(detailTemplates) as DetailName[];
const placeholdersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

describe('details of errors', () => {
  it.each([
    ['email must have a value.', { name: 'has_no_value', parameters: { field: 'email' } }],
    [
      'line_items 0 quantity must be at most 99999.',
      { name: 'number_max', parameters: { field: 'line_items 0 quantity', max: '99999' } },
    ],
    [
      'A password must have at least 12 characters.',
      { name: 'password_min', parameters: { min: '12' } },
    ],
    [
      'This payment link is expired, which does not allow update. Possible now: expire, update.',
      {
        name: 'wrong_state_now',
        parameters: {
          noun: 'payment link',
          state: 'expired',
          action: 'update',
          actions: 'expire, update',
        },
      },
    ],
  ])('%s', (detail, known) => {
    expect(matchDetail(detail)).toEqual(known);
  });

  it('are not recognised where nobody meets them in a form', () => {
    expect(matchDetail('The body is not valid JSON. Check its quotes.')).toBeUndefined();
    expect(matchDetail('x'.repeat(100_000))).toBeUndefined();
  });

  it.each(names)('of the template %s are recognised as it', (name) => {
    expect(matchDetail(detailTemplates[name].replaceAll(/\{(\w+)\}/g, '7'))?.name).toBe(name);
  });
});

describe.each(readdirSync(FOLDER))('the sentences in %s', (file) => {
  const texts: Record<string, string> = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));

  it('are all there', () => {
    expect(Object.keys(texts).toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('%s has only placeholders of its template', (name) => {
    const known = placeholdersOf(detailTemplates[name]);
    expect(placeholdersOf(texts[name] ?? '').filter((it) => !known.includes(it))).toEqual([]);
  });

  it('show no names of the interface', () => {
    expect(
      Object.values(texts).filter((text) =>
        /\b[a-z]+_[a-z_]+\b/.test(text.replaceAll(/\{\w+\}/g, '')),
      ),
    ).toEqual([]);
  });
});

it('the languages of the dashboard have sentences', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(['de.json', 'en.json', 'es.json', 'fr.json']);
});
