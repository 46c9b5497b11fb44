import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sign } from '@florin/webhooks';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { POST } from '../../../examples/webhooks/src/next/route.ts';
import { servers } from '../../../examples/webhooks/src/servers.ts';
import { paid } from '../../../examples/webhooks/src/shop.ts';
import { BODY, EVENT_ID, SECRET } from './deliveries.ts';

type Post = (body: string, headers: Record<string, string>) => Promise<number>;

/** Starts a receiver that stops after the test. Returns the function that posts to it. */
async function startReceiver(name: string): Promise<Post> {
  if (name === 'next') {
    vi.stubEnv('WEBHOOK_SECRET', SECRET);
    const url = 'http://localhost/webhooks';
    return async (body, headers) =>
      (await POST(new Request(url, { method: 'POST', body, headers }))).status;
  }
  const server = await servers[name]!(SECRET);
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  return async (body, headers) => (await fetch(url, { method: 'POST', body, headers })).status;
}

describe.each([...Object.keys(servers), 'next'])('the example for %s', (name) => {
  const loggedLines: string[] = [];
  beforeEach(() => {
    paid.clear();
    loggedLines.length = 0;
    vi.spyOn(console, 'error').mockImplementation((line) => void loggedLines.push(line));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it('accepts signed requests and refuses changed ones', async () => {
    const post = await startReceiver(name);
    const headers = {
      'content-type': 'application/json',
      ...(await sign(BODY, SECRET, { id: EVENT_ID })),
    };
    const rewritten = JSON.stringify(JSON.parse(BODY));
    expect(await post(BODY.replace('2500', '9500'), headers)).toBe(422);
    expect(await post(rewritten, headers)).toBe(422);
    expect(await post(BODY, { 'content-type': 'application/json' })).toBe(422);
    expect(paid.size).toBe(0);
    expect(loggedLines.map((line) => line.split(':')[0])).toEqual([
      'mismatch',
      'body_changed',
      'header_missing',
    ]);
    expect([await post(BODY, headers), await post(BODY, headers)]).toEqual([204, 204]);
    expect([...paid.values()]).toEqual([2500]);
  });

  it('explains the problems of a request of any other type', async () => {
    const post = await startReceiver(name);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/vnd.api+json',
    ]) {
      expect(await post('amount=1', { 'content-type': type })).toBe(422);
    }
    expect(loggedLines.map((line) => line.split(':')[0])).toEqual(Array(3).fill('header_missing'));
    const signedHeaders = await sign(BODY, SECRET, { id: EVENT_ID });
    expect(await post(BODY, { 'content-type': 'text/plain', ...signedHeaders })).toBe(204);
  });
});
