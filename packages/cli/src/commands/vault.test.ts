import { expect, it } from 'vitest';
import { parseVaultCommand } from './vault.ts';

it.each<[words: string, path: string, body: object, files?: object]>([
  ['rotate root', '/rotate', { key: 'root' }],
  ['rotate seal --now', '/rotate', { key: 'seal', at_once: true }],
  [
    'rotate kek --merchant m --mode live',
    '/rotate',
    { key: 'kek', merchant_id: 'm', mode: 'live' },
  ],
  [
    'destroy card pan_1 --merchant m --mode live',
    '/destroy',
    { card_pan_token: 'pan_1', merchant_id: 'm', mode: 'live' },
  ],
  ['destroy merchant m --mode sandbox', '/destroy', { merchant_id: 'm', mode: 'sandbox' }],
  ['destroy root 3', '/destroy', { root_version: 3 }],
  ['audit verify', '/audit/verify', {}],
  ['audit verify --head h.json', '/audit/verify', {}, { head: 'h.json' }],
  ['audit export h.json', '/audit/export', {}, { keep: 'h.json' }],
])('florin vault %s is a command', (words, path, body, files = {}) => {
  expect(parseVaultCommand(words.split(' '))).toEqual({ path, body, ...files });
});

it.each(['', 'rotate', 'rotate kek root', 'destroy', 'destroy card', 'audit', 'rotate --force'])(
  'florin vault %s is answered with the usage',
  (words) => {
    expect(() => parseVaultCommand(words.split(' ').filter(Boolean))).toThrow(/^Usage:/);
  },
);
