import { createHmac } from 'node:crypto';
import { standardSignature } from '@florin/contract/protocol/webhook.ts';
import { expect, it } from 'vitest';
import { startReceiver } from './receiver.ts';

const secretOf = (text: string): string => Buffer.from(text).toString('base64');
const [OLD, NEW, OTHER] = [secretOf('old'), secretOf('new'), secretOf('other')];

/** Sends a message with one signature. Returns the status of the response. */
async function send(url: string, secret: string): Promise<number> {
  const { idHeader, timestampHeader, header, signedText, format } = standardSignature;
  const text = signedText('message', 1, '{}');
  const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(text).digest('base64');
  const headers = { [idHeader]: 'message', [timestampHeader]: '1', [header]: format(mac) };
  return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
}

it('a message in flight during a rotation stays valid, and no other is accepted', async () => {
  await using receiver = await startReceiver();
  receiver.addSecret(OLD);
  receiver.addSecret(NEW);
  const statuses = [OLD, NEW, OTHER].map((secret) => send(receiver.url, secret));
  expect(await Promise.all(statuses)).toEqual([204, 204, 401]);
  expect(receiver.counts()).toEqual({ signed: 2, newest: 1, forged: 1 });
});
