import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseVaultCommand } from '../vault/words.ts';
import { vault } from './vault.ts';

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
  ['retire host:/florin/vault', '/retire', { name: 'host:/florin/vault' }],
  ['rules list', '/rules/list', {}],
  ['rules accept 1f', '/rules/accept', { id: '1f' }],
  ['rules accept 1f --dry-run', '/rules/accept', { id: '1f', dry_run: true }],
  ['rules withdraw 1f', '/rules/withdraw', { id: '1f' }],
  ['keys', '/keys', {}],
  ['limit --merchant m --mode live', '/limit', { merchant_id: 'm', mode: 'live' }],
  [
    'limit --merchant m --mode live --new-cards 50000',
    '/limit',
    { merchant_id: 'm', mode: 'live', new_numbers: 50_000 },
  ],
  [
    'limit --merchant m --mode live --new-cards default',
    '/limit',
    { merchant_id: 'm', mode: 'live', new_numbers: 'default' },
  ],
  [
    'import open --merchant m --mode live --cards 9 --until 2026-12-01T06:00:00Z',
    '/import/open',
    { merchant_id: 'm', mode: 'live', numbers: 9, until: '2026-12-01T06:00:00Z' },
  ],
  ['import close --merchant m --mode live', '/import/close', { merchant_id: 'm', mode: 'live' }],
  ['rotate seal --dry-run', '/rotate/dry-run', { key: 'seal' }],
  ['rotate seal --now --dry-run', '/rotate/dry-run', { key: 'seal', at_once: true }],
  ['rotate kek --merchant m --dry-run', '/rotate/dry-run', { key: 'kek', merchant_id: 'm' }],
  ['rotate root --dry-run', '/rotate/dry-run', { key: 'root' }],
  ['rotate epoch --dry-run', '/rotate/dry-run', { key: 'epoch' }],
  ['rotate due --dry-run', '/rotate/dry-run', { key: 'due' }],
  [
    'destroy card pan_1 --merchant m --mode live --dry-run',
    '/destroy/dry-run',
    { card_pan_token: 'pan_1', merchant_id: 'm', mode: 'live' },
  ],
  [
    'destroy --dry-run merchant m --mode live',
    '/destroy/dry-run',
    { merchant_id: 'm', mode: 'live' },
  ],
  ['destroy root 3 --dry-run', '/destroy/dry-run', { root_version: 3 }],
  ['retire host:/florin/vault --dry-run', '/retire/dry-run', { name: 'host:/florin/vault' }],
  [
    'limit --merchant m --mode live --new-cards 9 --dry-run',
    '/limit/dry-run',
    { merchant_id: 'm', mode: 'live', new_numbers: 9 },
  ],
  [
    'import open --merchant m --mode live --cards 9 --until 2026-12-01T06:00:00Z --dry-run',
    '/import/open/dry-run',
    { merchant_id: 'm', mode: 'live', numbers: 9, until: '2026-12-01T06:00:00Z' },
  ],
  [
    'import close --merchant m --mode live --dry-run',
    '/import/close/dry-run',
    { merchant_id: 'm', mode: 'live' },
  ],
  ['audit verify', '/audit/verify', {}],
  ['audit verify --head h.json', '/audit/verify', {}, { head: 'h.json' }],
  ['audit export h.json', '/audit/export', {}, { head_output: 'h.json' }],
])('npm run florin -- vault %s is a command', (words, path, body, files = {}) => {
  expect(parseVaultCommand(words.split(' '))).toEqual({ path, body, ...files });
});

it.each([
  '',
  'rotate',
  'rotate kek root',
  'destroy',
  'destroy card',
  'audit',
  'rules',
  'rules accept',
  'rules list 1f',
  'rotate --force',
  'rotate everything',
  'constructor',
  'keys --dry-run',
  'limit --merchant m --mode live --dry-run',
  'rules list --dry-run',
  'audit verify --dry-run',
  'audit export h.json --dry-run',
  'destroy card pan_1 --dryrun --merchant m --mode live',
  'destroy card pan_1 --dry-run=yes --merchant m --mode live',
  'rotate root --now',
  'rotate root --merchant m',
  'destroy root 3 --mode live',
  'destroy merchant m --merchant n --mode live',
  'import close --cards 9 --merchant m --mode live',
  ...['1,000', '20k', '1e4', '-5', '0x10', 'null'].map(
    (limit) => `limit --merchant m --mode live --new-cards=${limit}`,
  ),
  'import open --merchant m --mode live --cards 20k --until 2026-12-01T06:00:00Z',
])('npm run florin -- vault %s is answered with the usage', (words) => {
  expect(() => parseVaultCommand(words.split(' ').filter(Boolean))).toThrow(/^Usage:/);
});

it.each([
  ['limit --mode live', '--merchant is missing.'],
  ['destroy card pan_1 --merchant m', '--mode is missing.'],
  ['import close --merchant m --dry-run', '--mode is missing.'],
])('npm run florin -- vault %s names what is missing', (words, missing) => {
  expect(() => parseVaultCommand(words.split(' '))).toThrow(missing);
});

it.each(['receive m t', 'send t f', 'import f r'])(
  'npm run florin -- vault cards %s --dry-run is answered with the usage, before any file is written',
  async (words) => {
    const pending = vault(['cards', ...words.split(' '), '--dry-run'], '/nowhere', () => {});
    await expect(pending).rejects.toThrow(/^Usage:/);
  },
);

it('a file that holds an older audit head is named before the vault is asked', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'florin-cli-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'head.json');
  writeFileSync(file, 'kept');
  const output: string[] = [];
  const pendingExport = vault(['audit', 'export', file], directory, (line) => output.push(line));
  await expect(pendingExport).rejects.toThrow(`${file}: the file exists; give another name.`);
  expect([output, readFileSync(file, 'utf8')]).toEqual([[], 'kept']);
});
