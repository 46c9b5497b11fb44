import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alertParameters, alertValues } from './alert-messages.ts';

const FOLDER = join(import.meta.dirname, 'texts');

describe.each(readdirSync(FOLDER))('the messages in %s', (file) => {
  const texts: Record<string, string> = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));

  it('are all there', () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(alertParameters).toSorted());
  });

  it.each(Object.entries(alertParameters))('%s has its parameters', (code, parameters) => {
    const placeholders = [...(texts[code] ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(placeholders.toSorted()).toEqual(parameters.toSorted());
  });
});

it('the languages of the dashboard have messages', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(['de.json', 'en.json', 'es.json', 'fr.json']);
});

it('instants and violations are written by the language, and people’s words stay', () => {
  const parameters = { since: '2027-01-01', violation: 'terms', reason: 'terms' };
  const formats = { instant: () => '1. Januar', violation: () => 'Bedingungen' };
  expect(alertValues(parameters, formats)).toEqual({
    since: '1. Januar',
    violation: 'Bedingungen',
    reason: 'terms',
  });
});
