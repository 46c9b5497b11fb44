import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { makeWebhookSecret, signingKeyOf, signatureHeaders as signWithKeys } from './sign.ts';

const signatureHeaders = (
  message: Parameters<typeof signWithKeys>[0],
  [first, ...others]: readonly [string, ...string[]],
  t: number,
) => signWithKeys(message, [signingKeyOf(first), ...others.map(signingKeyOf)], t);

const EVENT_ID = '0199f3b2-6e4a-7c1e-8a55-3c1f3a9d0b11';

describe('edge-signature', () => {
  it('equals the published vector', () => {
    const body =
      '{"data":{"id":"evt_1","type":"events","attributes":{"slug":"transaction.payment_demands.succeeded","data":{"amount":"5.00 €"}}}}';
    const headers = signatureHeaders(
      { event_id: 'evt_1', body },
      ['whsec_TestSecret_éß'],
      1756742400,
    );
    expect(headers['edge-signature']).toBe(
      't=1756742400,v3=04a017e658e40d32dfa5e557b2ff4d96ecc99555166cc97419850aa86b67ae21',
    );
  });
});

describe('webhook-signature', () => {
  const body = '{"data":{"attributes":{"amount":"5.00 €"}}}';
  const now = () => Math.floor(Date.now() / 1000);

  it.each([
    ['as it is', (secret: string) => secret],
    ['behind whsec_', (secret: string) => `whsec_${secret}`],
    ['padded', (secret: string) => `${secret}=`],
  ])(
    'is accepted by the standardwebhooks package, which gets the secret_key %s',
    (_, secretText) => {
      for (let round = 0; round < 20; round++) {
        const secret_key = makeWebhookSecret();
        const headers = signatureHeaders({ event_id: EVENT_ID, body }, [secret_key], now());
        expect(new Webhook(secretText(secret_key)).verify(body, headers)).toEqual(JSON.parse(body));
      }
    },
  );

  it('is refused for another body, secret or id', () => {
    const secret_key = makeWebhookSecret();
    const headers = signatureHeaders({ event_id: EVENT_ID, body }, [secret_key], now());
    const other = { ...headers, 'webhook-id': 'another' };
    expect(() => new Webhook(secret_key).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(makeWebhookSecret()).verify(body, headers)).toThrow();
    expect(() => new Webhook(secret_key).verify(body, other)).toThrow();
  });
});

describe('with two secrets', () => {
  const body = '{}';
  const [olderSecret, newerSecret] = [makeWebhookSecret(), makeWebhookSecret()];
  const headers = signatureHeaders(
    { event_id: EVENT_ID, body },
    [olderSecret, newerSecret],
    Math.floor(Date.now() / 1000),
  );

  it('webhook-signature is accepted with either secret', () => {
    for (const secret of [olderSecret, newerSecret]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({});
    }
  });

  it('edge-signature uses the first one only', () => {
    const [t] = /\d+/.exec(headers['edge-signature'] as string) ?? [];
    const singleSignature = signatureHeaders(
      { event_id: EVENT_ID, body },
      [olderSecret],
      Number(t),
    );
    expect(headers['edge-signature']).toBe(singleSignature['edge-signature']);
  });
});

it('a secret is 32 bytes, the same text in base64 and base64url', () => {
  for (let round = 0; round < 200; round++) {
    const secret = makeWebhookSecret();
    expect(secret).toMatch(/^[A-Za-z0-9]{43}$/);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  }
});
