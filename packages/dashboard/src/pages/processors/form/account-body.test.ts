import { describe, expect, it } from 'vitest';
import type { AccountDetail, ProcessorField } from '../types.ts';
import { bodyOf, valuesOf } from './account-body.ts';
import { fieldProblem } from './field-problem.ts';

const field = (name: string, change: Partial<ProcessorField> = {}): ProcessorField => ({
  name,
  label: name,
  help: '',
  secret: false,
  required: true,
  ...change,
});

const fields = [
  field('api_url'),
  field('city', { required: false }),
  field('key', { secret: true }),
];
const account = {
  name: 'EU',
  merchant_id: null,
  descriptor: null,
  currencies: ['EUR'],
  networks: null,
  settings: { api_url: 'https://a.example', city: 'Paris' },
} as unknown as AccountDetail;

describe('the form of an account', () => {
  it('begins with the stored settings, and never with a secret', () => {
    expect(valuesOf(fields, account)).toMatchObject({
      settings: { api_url: 'https://a.example', city: 'Paris' },
      secrets: { key: '' },
      currencies: ['EUR'],
    });
  });

  it('removes an emptied setting, and keeps a secret that nobody typed', () => {
    const values = { ...valuesOf(fields, account), settings: { api_url: ' x ', city: '' } };
    expect(bodyOf(values, account)).toMatchObject({
      settings: { api_url: 'x', city: null },
      secrets: {},
      currencies: ['EUR'],
      networks: null,
    });
  });

  it('sends no empty value for a new account', () => {
    const values = { ...valuesOf(fields), secrets: { key: 'typed' } };
    expect(bodyOf(values)).toMatchObject({ settings: {}, secrets: { key: 'typed' } });
  });
});

describe('a field', () => {
  const t = (key: string, variables?: object) => [key, ...Object.values(variables ?? {})].join(' ');
  const url = field('url', { pattern: 'https://[a-z.]+', example: 'https://a.example' });

  it.each([
    [url, '', 'required'],
    [{ ...url, required: false }, '', undefined],
    [url, 'https://a.b', undefined],
    [url, 'see https://a.b', 'wrong_form https://a.example'],
    [{ ...url, example: undefined }, 'x', 'wrong_form_plain'],
    [{ ...url, pattern: '(' }, 'x', undefined],
    [{ ...url, mode_patterns: { live: 'live_.+', sandbox: 'test_.+' } }, 'live_1', undefined],
  ] as [ProcessorField, string, string | undefined][])('%o with %j: %s', (it, value, problem) => {
    expect(fieldProblem(t as never, it, value, 'live')).toBe(problem);
  });
});
