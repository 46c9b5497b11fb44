import { createHmac } from 'node:crypto';

/** 43 base64 characters (32 bytes), the format of Florin's secrets. */
export const SECRET = 'hQ0vZ3mW8nR5tY2uI7oP4aS6dF9gH1jK0lZxCvBnM3Q';
export const OTHER_SECRET = 'Kq7xW2eR9tY4uI1oP6aS3dF8gH5jK0lZxCvBnM2QhZw';
export const EVENT_ID = '0199f3b2-6e4a-7c1e-8a55-3c1f3a9d0b11';
/** Unix time of every delivery in these tests, in seconds. */
export const T = 1_756_742_400;
export const NOW = new Date(T * 1000);

/** A delivery as Florin sends it. */
export const BODY = `{"data":{"id":"${EVENT_ID}","type":"events","attributes":{"mode":"sandbox","resource_type":"transaction.payment_demands","resource_id":"0199f3b2-6e4a-7c1e-8a55-3c1f3a9d0b12","slug":"succeeded","sequence":2,"created_at":"2025-09-01T16:00:00.000000Z","data":{"id": "0199f3b2-6e4a-7c1e-8a55-3c1f3a9d0b12", "type": "payment_demands", "attributes": {"line_items": [{"name": "Rosé"}, {"name": "\\"€\\""}], "amount_cents": 2500}}},"relationships":{"merchant":{"data":{"type":"merchants","id":"${EVENT_ID}"}}}}}`;

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);

export const edgeHex = (body = BODY, secret = SECRET, t: number | string = T): string =>
  hmac(secret, `${t}.${body}`).digest('hex');

export const edgeHeaders = (body = BODY, secret = SECRET, t: number | string = T) => ({
  'edge-signature': `t=${t},v3=${edgeHex(body, secret, t)}`,
});

export const standardBase64 = (body = BODY, secret = SECRET, t: number | string = T): string =>
  hmac(Buffer.from(secret, 'base64'), `${EVENT_ID}.${t}.${body}`).digest('base64');

export const standardHeaders = (body = BODY, secret = SECRET, t: number | string = T) => ({
  'webhook-id': EVENT_ID,
  'webhook-timestamp': String(t),
  'webhook-signature': `v1,${standardBase64(body, secret, t)}`,
});
