import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signatureOf } from '../../src/checkout-com/events/compose-event.ts';
import { createReceiver, type Received, type Receiver } from '../notifications/receiver.ts';
import { hasSchemas, schemaErrors } from './schemas.ts';
import {
  createPaymentRequest,
  createStandInClient,
  DECLINED_CARD,
  type StandInClient,
  useSimulator,
} from './stand-in.ts';

const KEY = 'florin-test-signing-key-1';
const MINUTE_MS = 60_000;
const OUTCOME_MS = MINUTE_MS;
const simulator = useSimulator();
let receiver: Receiver;
let client: StandInClient;
beforeEach(async () => {
  receiver = await createReceiver();
  client = await createStandInClient(simulator.url, {
    outcome_delay_ms: OUTCOME_MS,
    webhook_url: receiver.url,
    webhook_key: KEY,
    webhook_authorization: 'fixed',
  });
});
afterEach(async () => {
  await client.control('DELETE', '/notification-faults');
  await client.configure({ webhook_url: undefined });
  await receiver[Symbol.asyncDispose]();
});

interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly created_on: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const eventOf = ({ body }: Received): EventBody => JSON.parse(body) as EventBody;
const events = async (count: number) => (await receiver.arrived(count)).map(eventOf);
const types = async (count: number) => (await events(count)).map(({ type }) => type);

async function pay(changes?: Parameters<typeof createPaymentRequest>[0]): Promise<string> {
  const payment = await client.sdk.payments.request(createPaymentRequest(changes));
  return String((payment as { id: string }).id);
}

const isSigned = ({ body, headers }: Received): boolean =>
  headers['cko-signature'] === createHmac('sha256', KEY).update(body).digest('hex');
const addFault = (fault: object) => client.control('POST', '/notification-faults', fault);

describe('the signature', () => {
  it('is the HMAC of the raw bytes, as in the published vector', () => {
    const body =
      '{"id":"evt_az5sblvku4ge3dwpztvyizgcau","type":"payment_captured",' +
      '"created_on":"2026-10-01T09:30:00Z","data":{"id":"pay_mbabizu24mvu3mela5njyhpit4",' +
      '"action_id":"act_y3oqhf46pyzuxjbcn2giaqnb44","reference":"Zürich-1","amount":1050,"fx":1.10}}';
    expect(signatureOf(body, KEY)).toBe(
      '542d49b1d7067213f0e4f73f7aacc726c2bf8dc98b79dd57f8df6ff34ed43699',
    );
  });

  it('and the fixed header are on each notification', async () => {
    await pay({ reference: 'Zürich-1' });
    const [notification] = await receiver.arrived(1);
    expect(notification && isSigned(notification)).toBe(true);
    expect(notification?.headers.authorization).toBe('fixed');
  });
});

describe('events of payments', () => {
  it('have the payment, the action, its reference, and metadata as texts', async () => {
    const id = await pay({ reference: 'order-1', metadata: { n: 3, first: true } });
    const { action_id } = await client.sdk.payments.capture(id, {
      amount: 1000,
      reference: 'capture-1',
      metadata: { part: 1 },
    });
    await client.advance(OUTCOME_MS);
    const [approved, captured] = await events(2);
    expect(approved).toMatchObject({
      id: expect.stringMatching(/^evt_[a-z2-7]{26}$/),
      type: 'payment_approved',
      data: {
        id,
        reference: 'order-1',
        amount: 2499,
        currency: 'EUR',
        approved: true,
        response_code: '10000',
        metadata: { n: '3', first: 'true' },
        source: { last4: '4242' },
        balances: { total_authorized: 2499 },
      },
      _links: { payment: { href: expect.stringContaining(`/payments/${id}`) } },
    });
    expect(captured).toMatchObject({
      type: 'payment_captured',
      data: { id, action_id, reference: 'capture-1', amount: 1000, metadata: { part: '1' } },
    });
    const text = JSON.stringify([approved, captured]);
    expect(text).not.toContain('4242424242424242');
  });

  it('of a capture without a reference have none', async () => {
    const id = await pay({ reference: 'order-2' });
    await client.sdk.payments.capture(id);
    await client.advance(OUTCOME_MS);
    expect((await events(2))[1]?.data).not.toHaveProperty('reference');
  });

  it('tell the outcome of each kind of request', async () => {
    await pay({ source: { number: DECLINED_CARD } });
    await pay({ amount: 0 });
    await pay({ amount: 0, source: { number: DECLINED_CARD } });
    await pay({ '3ds': { enabled: true } });
    expect(await types(4)).toEqual([
      'payment_declined',
      'card_verified',
      'card_verification_declined',
      'payment_pending',
    ]);
  });

  it.each([
    ['capture', 'payment_captured', 'payment_capture_declined'],
    ['void', 'payment_voided', 'payment_void_declined'],
    ['refund', 'payment_refunded', 'payment_refund_declined'],
  ] as const)('tell both outcomes of a %s', async (operation, approved, declined) => {
    for (const type of [approved, declined]) {
      const id = await pay({ capture: operation === 'refund' });
      await client.advance(OUTCOME_MS);
      const codes = { Capture: '20005', Void: '20005', Refund: '20005' };
      if (type === declined) await client.control('PUT', `/payments/${id}/outcomes`, codes);
      await client.sdk.payments[operation](id);
      await client.advance(OUTCOME_MS);
    }
    const all = await types(operation === 'refund' ? 6 : 4);
    expect(all.filter((type) => type === approved || type === declined)).toEqual([
      approved,
      declined,
    ]);
  });

  it('tell the expiry of an authorisation, but not of a captured or voided one', async () => {
    await client.sdk.payments.capture(await pay({ reference: 'captured' }), { amount: 1 });
    await client.sdk.payments.void(await pay({ reference: 'voided' }));
    await pay({ reference: 'open' });
    await client.advance(8 * 24 * 60 * MINUTE_MS);
    await pay({ reference: 'last' });
    const all = await events(7);
    const expired = all.filter(({ type }) => type === 'payment_expired');
    expect(expired.map(({ data }) => data.reference)).toEqual(['open']);
    expect(all.map(({ type }) => type).slice(3, 6)).toEqual([
      'payment_captured',
      'payment_voided',
      'payment_expired',
    ]);
    expect(all.at(-1)?.data.reference).toBe('last');
  });

  it('come without a request, once the outcome is due', async () => {
    await client.configure({ outcome_delay_ms: 1 });
    await pay({ capture: true });
    expect(await types(2)).toEqual(['payment_approved', 'payment_captured']);
  });

  it('are delayed by the setting of the account', async () => {
    await client.configure({ webhook_delay_ms: 5 * MINUTE_MS });
    await pay();
    expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    await client.advance(5 * MINUTE_MS);
    expect(await types(1)).toEqual(['payment_approved']);
  });
});

const deliveries = async (count = 1) => {
  const response = await client.control('GET', `/notifications?limit=${count}`);
  return (await response.json()) as Record<string, unknown>[];
};

describe('a delivery', () => {
  it('is repeated eight times, after the documented waits', async () => {
    receiver.respond = () => 500;
    await pay();
    for (const [attempt, minutes] of [5, 10, 15, 30, 60, 240, 720, 720].entries()) {
      await attempted(attempt + 1);
      await client.advance(minutes * MINUTE_MS);
    }
    await attempted(9);
    expect(await deliveries()).toMatchObject([{ state: 'failed', last_result: '500' }]);
    expect(new Set((await events(9)).map(({ id }) => id)).size).toBe(1);
  });

  async function attempted(count: number): Promise<void> {
    while ((await deliveries())[0]?.attempts !== count) await new Promise(setImmediate);
  }
});

describe('faults on demand', () => {
  it('lost and doubled, selected by type and reference', async () => {
    await addFault({ kind: 'lost', event: 'payment_approved', subject: 'a' });
    await addFault({ kind: 'doubled', event: 'payment_approved', subject: 'b' });
    await pay({ reference: 'a' });
    await pay({ reference: 'b' });
    const [first, second] = await events(2);
    expect([first?.data.reference, second?.id]).toEqual(['b', first?.id]);
  });

  it('out of order: the capture is told before the approval', async () => {
    await addFault({ kind: 'out_of_order' });
    await pay({ capture: true });
    await client.advance(OUTCOME_MS);
    await client.advance(1);
    expect(await types(2)).toEqual(['payment_captured', 'payment_approved']);
  });

  it('before the answer: the receiver can read the payment, whose response is still to come', async () => {
    await addFault({ kind: 'before_answer' });
    const order: string[] = [];
    receiver.respond = async (notification) => {
      const { data } = eventOf(notification);
      const { status } = await client.sdk.payments.get(String(data.id));
      order.push(`told ${status}`);
      return 200;
    };
    await pay();
    order.push('answered');
    expect(order).toEqual(['told Authorized', 'answered']);
  });

  it('before the answer of a capture, if its outcome is due at once', async () => {
    await client.configure({ outcome_delay_ms: 0 });
    await addFault({ kind: 'before_answer', event: 'payment_captured' });
    const id = await pay();
    await client.sdk.payments.capture(id);
    expect(receiver.received.map(eventOf).map(({ type }) => type)).toContain('payment_captured');
  });

  it.each([
    ['wrong_signature', false],
    ['unknown_type', true],
    ['malformed', true],
  ])('%s: the signature is valid: %s', async (kind, isValid) => {
    await addFault({ kind });
    await pay();
    const [notification] = await receiver.arrived(1);
    expect(notification && isSigned(notification)).toBe(isValid);
    const parse = () => notification && eventOf(notification).type;
    if (kind === 'malformed') expect(parse).toThrow(SyntaxError);
    else expect(parse() === 'payment_approved').toBe(kind === 'wrong_signature');
  });

  it('an address without a key is refused', async () => {
    await expect(client.configure({ webhook_key: undefined })).rejects.toThrow('webhook_key');
  });
});

describe.skipIf(!hasSchemas)('with the official schemas of ../shared/data', () => {
  it('events fit', async () => {
    const id = await pay({ reference: 'fits', capture: true, metadata: { a: 'b' } });
    await client.advance(OUTCOME_MS);
    await client.sdk.payments.refund(id, { amount: 1 });
    await client.advance(OUTCOME_MS);
    for (const event of await events(3)) {
      expect(schemaErrors('get-event-response', event)).toEqual([]);
      const { balances: _, risk: __, ...data } = event.data;
      expect(schemaErrors('Data', data)).toEqual([]);
    }
  });
});
