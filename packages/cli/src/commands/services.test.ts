import { expect, it } from 'vitest';
import { egressOf } from './services.ts';

it.each([
  [undefined, 'http://127.0.0.1:4100,http://127.0.0.1:4101'],
  [
    'https://a.example,https://b.example',
    'http://127.0.0.1:4100,http://127.0.0.1:4101,https://a.example,https://b.example',
  ],
])('with VAULT_EGRESS=%s the vault may send to %s', (more, list) => {
  expect(egressOf(['http://127.0.0.1:4100/', 'http://127.0.0.1:4101'], more)).toBe(list);
});
