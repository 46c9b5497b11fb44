import { describe, expect, it } from 'vitest';
import { findForeignMember } from './login-body.ts';
import type { RelayCodec } from './vault.ts';

const login = {
  headers: {},
  body: { '/root/login/user': 'user', '/root/login/password': 'password' },
};
const own = { user: null, password: null };

describe('a body with a login', () => {
  it.each<[string, unknown, RelayCodec, string | undefined]>([
    [
      'as declared',
      { root: { '@xmlns': 'urn:a', login: own, sale: { '@id': 1 } } },
      'xml',
      undefined,
    ],
    ['with a further member', { root: { login: { ...own, id: 'me' } } }, 'json', 'id'],
    ['with a further attribute', { root: { login: { ...own, '@id': 'me' } } }, 'xml', '@id'],
    ['with a prefix', { root: { login: own, 'b:login': {} } }, 'xml', 'b:login'],
    ['with a declared prefix', { root: { '@xmlns:b': 'urn:b', login: own } }, 'xml', '@xmlns:b'],
    [
      'in another namespace',
      { root: { login: own, sale: { '@xmlns': 'urn:b' } } },
      'xml',
      '@xmlns',
    ],
    ['in a list', { root: { login: own, sale: [{ 'b:login': {} }] } }, 'xml', 'b:login'],
    ['with a colon in JSON', { root: { login: own, 'b:note': '' } }, 'json', undefined],
    ['that is missing', {}, 'xml', undefined],
  ])('%s', (_name, body, codec, expected) => {
    expect(findForeignMember(body, login, codec)).toBe(expected);
  });

  it('may have names that a pointer writes in another way', () => {
    const escaped = { headers: {}, body: { '/a~1b/user~0': 'user' } };
    expect(findForeignMember({ 'a/b': { 'user~': null } }, escaped, 'json')).toBeUndefined();
    expect(findForeignMember({ 'a/b': { 'user~': null, key: 1 } }, escaped, 'json')).toBe('key');
  });

  it('is not searched without end', () => {
    let body: unknown = {};
    for (let depth = 0; depth < 100; depth++) body = { a: body };
    expect(findForeignMember({ root: body }, login, 'xml')).toBe('too deep');
  });
});

it('a login in headers leaves the body free', () => {
  expect(findForeignMember({ 'a:b': 1 }, { headers: {} }, 'xml')).toBeUndefined();
});
