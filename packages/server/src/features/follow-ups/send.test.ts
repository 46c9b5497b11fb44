import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createSigner } from '../../platform/crypto/signer.ts';
import { instantText } from '../../platform/time/clock.ts';
import { createSandboxProcessor } from '../../processors/sandbox/index.ts';
import { CONNECTIONS_PER_ORIGIN_MAX, sendPlain } from '../../processors/wire/send-plain.ts';
import { refunds } from './kinds.ts';
import { sendFollowUp } from './send.ts';

const LEASE_END = 1_795_232_640_000_000;
const REFUND = '0190f3c2-7b4e-7abc-8def-ba9876543210';

/** A processor that records requests and responds only on command. */
async function startSilentServer() {
  const openResponses: ServerResponse[] = [];
  const requestedUrls: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    requestedUrls.push(request.url);
    openResponses.push(response);
    if (openResponses.length === CONNECTIONS_PER_ORIGIN_MAX) server.emit('full');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: requestedUrls,
    full: once(server, 'full'),
    answer: () => openResponses.forEach((response) => void response.end('{}')),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a refund is not sent if its lease ends while it waits for a connection', async () => {
  using silent = await startSilentServer();
  const otherRequests = Array.from({ length: CONNECTIONS_PER_ORIGIN_MAX }, () =>
    sendPlain({ method: 'GET', url: `${silent.url}/other`, headers: {}, timeout_ms: 60_000 }),
  );
  await silent.full;
  const attempt = {
    refund_demand_id: REFUND,
    authorisation_id: REFUND,
    amount_cents: '100',
    amount_currency: 'USD',
    due_at: instantText(LEASE_END),
  };
  let now = LEASE_END - 1;
  const clock = { now: () => now };
  const message_signer = createSigner(Buffer.alloc(32));
  const relay = { relay: () => Promise.reject(new Error('Nothing goes through the vault.')) };
  const account_keys = { observe: () => {} };
  const services = { clock, system_clock: clock, message_signer, relay, account_keys };
  const processor = createSandboxProcessor({ simulatorUrl: silent.url });
  const sendResult = sendFollowUp(services, refunds, processor, attempt);
  now = LEASE_END;
  silent.answer();
  expect(await sendResult).toMatchObject({ result: 'not_sent' });
  await Promise.all(otherRequests);
  expect(new Set(silent.asked)).toEqual(new Set(['/other']));
});
