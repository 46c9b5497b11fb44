import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sign, verify, WebhookError } from '../src/main.ts';
import { BODY, EVENT_ID, NOW, SECRET } from './deliveries.ts';

const secret = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(
  // Secrets of Florin are the same text in both base64 alphabets.
  (bytes) => Buffer.from(bytes).toString('base64url').replaceAll(/[-_]/g, 'x'),
);

/** A header character, including characters that no client can send. */
const anyByte = fc.nat(255).map((code) => String.fromCharCode(code));

/** An event whose record has arbitrary attributes. */
const delivery = fc.tuple(fc.uuid(), fc.json()).map(([id, data]) => ({
  id,
  body: `{"data":{"id":"${id}","type":"events","attributes":{"resource_type":"consumer.customers","slug":"created","data":${data}}}}`,
}));

describe('any delivery', () => {
  it('is accepted with its secret, by either signature', () =>
    fc.assert(
      fc.asyncProperty(delivery, secret, async ({ id, body }, key) => {
        const headers = await sign(body, key, { id, now: NOW });
        const { 'edge-signature': edge, ...standard } = headers;
        for (const subset of [headers, { 'edge-signature': edge }, standard]) {
          expect((await verify(body, subset, key, { now: NOW })).id).toBe(id);
        }
      }),
    ));

  it('is refused with another secret, and with one byte changed', () =>
    fc.assert(
      fc.asyncProperty(
        delivery,
        secret,
        secret,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async ({ id, body }, key, otherSecret, position, mask) => {
          fc.pre(key !== otherSecret);
          const headers = await sign(body, key, { id, now: NOW });
          const bytes = Buffer.from(body);
          const at = position % bytes.length;
          bytes[at] = (bytes[at] as number) ^ mask;
          await expect(verify(bytes, headers, key, { now: NOW })).rejects.toThrow(WebhookError);
          await expect(verify(body, headers, otherSecret, { now: NOW })).rejects.toThrow(
            WebhookError,
          );
        },
      ),
    ));

  it('has headers that no change passes, and that never cause any other error', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('edge-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'),
        fc.string({ unit: anyByte }),
        async (name, text) => {
          const { 'edge-signature': edge, ...standard } = await sign(BODY, SECRET, {
            id: EVENT_ID,
            now: NOW,
          });
          const headers =
            name === 'edge-signature' ? { [name]: text } : { ...standard, [name]: text };
          fc.pre(text !== edge && text !== standard[name]);
          const error = await verify(BODY, headers, SECRET, { now: NOW }).catch((error) => error);
          expect(error).toBeInstanceOf(WebhookError);
        },
      ),
    ));
});
