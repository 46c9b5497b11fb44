import { expect, it } from 'vitest';
import { secretNamesOf } from './vault.ts';

it('a request needs the secrets of its headers, login, body and connection, each once', () => {
  const credentials = {
    account_id: 'a',
    headers: { 'x-key': { secret: 'api_key' } },
    basic: { user: { text: 'shop' }, password: { secret: 'password' } },
    client_certificate: { certificate: 'tls_certificate', private_key: 'tls_key' },
    body: { '/login/password': 'password', '/login/user': 'user' },
  };
  expect(secretNamesOf(credentials)).toEqual([
    'api_key',
    'password',
    'user',
    'tls_certificate',
    'tls_key',
  ]);
  expect(secretNamesOf({ account_id: 'a', headers: {} })).toEqual([]);
});
