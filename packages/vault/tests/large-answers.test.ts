import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import { expect, test } from 'vitest';
import { REPORT_FILE, SMALL_FILE } from './support/network.ts';
import { useVault, type VaultContext } from './support/use-vault.ts';
import { errorOf } from './support/vault.ts';

let context: VaultContext;
useVault((started) => {
  context = started;
});

const createDownload = (path: string, changes: Partial<RelayRequest> = {}): RelayRequest => ({
  id: 'download-1',
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  consumes_cvv: false,
  method: 'GET',
  url: context.network.origin + path,
  headers: {},
  card_fields: {},
  answer_codec: 'text',
  large_answer: true,
  timeout_ms: 20_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

const download = async (path: string, changes: Partial<RelayRequest> = {}) =>
  (await context.vault.relay(createDownload(path, changes)))[0];

test('a file arrives whole, with its references, and without the card number in it', async () => {
  expect(await download('/file')).toMatchObject({
    outcome: 'answered',
    status: 200,
    body: REPORT_FILE.replace('4242424242424242', '424242******4242'),
  });
});

test('a small file has no card number either, however a server reads it', async () => {
  const readAs = (answer_codec: NonNullable<RelayRequest['answer_codec']>) =>
    download('/small-file', { large_answer: false, answer_codec });
  expect(await readAs('text')).toMatchObject({
    body: SMALL_FILE.replace('4242424242424242', '424242******4242'),
  });
  for (const answer_codec of ['form', 'json', 'xml'] as const)
    expect(await readAs(answer_codec)).toMatchObject({ outcome: 'lost', why: 'unreadable_answer' });
});

test('a file has a limit', async () => {
  expect(await download('/endless')).toMatchObject({ outcome: 'lost', why: 'answer_too_large' });
});

test('a file is too large for a response that is none', async () => {
  expect(await download('/file', { large_answer: false })).toMatchObject({
    outcome: 'lost',
    why: 'answer_too_large',
  });
});

test.each([{ method: 'POST' }, { answer_codec: 'json' }] as const)(
  'a large response to a message with %o is refused',
  async (changes) => {
    const requests = [createDownload('/file', changes)];
    const answer = await context.vault.post('/relay', { requests });
    expect(errorOf(answer).error).toBe('bad_request');
  },
);

test('a file is never read in parts, which could have half a card number', async () => {
  for (const name of ['Range', 'if-range']) {
    const requests = [createDownload('/file', { headers: { [name]: 'bytes=0-7' } })];
    expect(errorOf(await context.vault.post('/relay', { requests })).error).toBe('bad_request');
  }
  expect(await download('/part')).toMatchObject({ outcome: 'lost', why: 'unreadable_answer' });
});
