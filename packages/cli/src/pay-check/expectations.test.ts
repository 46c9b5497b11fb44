import { describe, expect, it } from 'vitest';
import { documentDifferences, scriptDifferences } from './expectations.ts';

const script = {
  'content-type': 'text/javascript; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300',
};

const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'sha256-AAAA'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': 'https://shop.example.com',
  'report-uri': '/frame/v1/csp-report',
  'require-trusted-types-for': "'script'",
};

const document = (overrides: Readonly<Record<string, string | undefined>> = {}) => ({
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'cross-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), microphone=()',
  'strict-transport-security': 'max-age=31536000',
  'content-security-policy': Object.entries({ ...policy, ...overrides })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join('; '),
});

describe('the check of a pay origin', () => {
  it('#19 finds no differences in a correct answer', () => {
    expect(scriptDifferences('/v1/florin.js', script)).toEqual([]);
    const longLived = { ...script, 'cache-control': 'public, max-age=31536000, immutable' };
    expect(scriptDifferences('/v1/florin-0123456789abcdef.js', longLived)).toEqual([]);
    expect(documentDifferences(document())).toEqual([]);
  });

  it.each(Object.keys(script))('#19 reports a script whose %s is missing', (name) => {
    expect(scriptDifferences('/v1/florin.js', { ...script, [name]: undefined })).toEqual([
      `its header ${name} is missing`,
    ]);
  });

  it('#19 reports a script at a stable address with a long cache life', () => {
    const longLived = { ...script, 'cache-control': 'public, max-age=31536000' };
    expect(scriptDifferences('/v1/florin.js', longLived)).toEqual([
      'its header cache-control is another',
    ]);
  });

  it.each([
    ['script-src', "'self' https://evil.example", 'its policy differs in script-src'],
    ['script-src', undefined, 'its policy differs in script-src'],
    ['default-src', '*', 'its policy differs in default-src'],
    ['frame-ancestors', '*', 'its policy differs in frame-ancestors'],
    ['frame-ancestors', undefined, 'its policy differs in frame-ancestors'],
    ['report-uri', 'https://evil.example', 'its policy differs in report-uri'],
    ['require-trusted-types-for', undefined, 'its policy does not require trusted types'],
    ['connect-src', "'unsafe-eval'", 'its policy allows unsafe sources'],
  ])('#19 reports a document with %s %s', (name, value, difference) => {
    expect(documentDifferences(document({ [name]: value }))).toEqual([difference]);
  });
});
