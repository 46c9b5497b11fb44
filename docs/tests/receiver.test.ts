import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sign } from '../../packages/webhooks/src/sign.ts';
import { fencesOf } from '../src/site/fences.ts';
import { readPages } from '../src/site/pages.ts';
import { PAGES } from '../src/site/write.ts';

const SECRET = '515121e3c003873e0490b4c0e18a1ebc670c301b4f772c390eb3302fed22ff08';
const BODY = JSON.stringify({
  data: {
    type: 'events',
    attributes: {
      resource_type: 'transaction.payment_demands',
      slug: 'succeeded',
      data: { type: 'payment_demands', id: 'payment-1', attributes: { status: 'succeeded' } },
    },
  },
});

/** The program of the page, on a free port, which it prints first. */
function sourceOfReceiver(): string {
  const page = readPages(PAGES).find(({ path }) => path === 'start/first-webhook');
  const fence = fencesOf(page?.markdown ?? '').find(({ kind }) => kind === 'js');
  const print = 'function () { console.log(this.address().port); }';
  return (fence?.content ?? '').replace('.listen(3000)', `.listen(0, ${print})`);
}

const folder = mkdtempSync(join(tmpdir(), 'florin-receiver-'));
let receiver: ChildProcess;
let lines: AsyncIterator<string>;
let url: string;

beforeAll(async () => {
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, sourceOfReceiver());
  const env = { ...process.env, WEBHOOK_SECRET: SECRET };
  receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (!receiver.stdout) throw new Error('The receiver has no output.');
  lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
  url = `http://127.0.0.1:${(await lines.next()).value}/webhooks`;
});
afterAll(() => {
  receiver.kill();
  rmSync(folder, { recursive: true, force: true });
});

describe('the receiver of the page on the first webhook', () => {
  it('accepts what Florin signs, and prints code, id and status', async () => {
    const headers = { ...(await sign(BODY, SECRET, { id: 'event-1' })) };
    const response = await fetch(url, { method: 'POST', headers, body: BODY });
    expect(response.status).toBe(204);
    const line = (await lines.next()).value;
    expect(line).toBe('transaction.payment_demands.succeeded payment-1 succeeded');
  });

  it('refuses a body that was changed', async () => {
    const headers = { ...(await sign(BODY, SECRET, { id: 'event-1' })) };
    const response = await fetch(url, { method: 'POST', headers, body: `${BODY} ` });
    expect(response.status).toBe(401);
  });
});
