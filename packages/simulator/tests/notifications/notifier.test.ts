import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { notificationControlRoutes } from '../../src/notifications/control-notifications.ts';
import {
  createDeliveryBooks,
  DELIVERY_SCHEMA,
  type DeliveryBooks,
} from '../../src/notifications/delivery-books.ts';
import type { Notification } from '../../src/notifications/notification.ts';
import { createNotifier } from '../../src/notifications/notifier.ts';
import { serveControl } from '../../src/stand-in/control.ts';
import { openBooks, type StandInBooks } from '../../src/stand-in/open-books.ts';
import { createDataDir } from '../client.ts';
import { createReceiver, type Receiver } from './receiver.ts';

type TestBooks = StandInBooks & { readonly deliveries: DeliveryBooks };

const MINUTE_MS = 60_000;
let receiver: Receiver;
let parts: ReturnType<typeof createParts>;
beforeEach(async () => {
  receiver = await createReceiver();
  parts = createParts();
});
afterEach(async () => {
  parts.notifier[Symbol.dispose]();
  parts.books[Symbol.dispose]();
  await receiver[Symbol.asyncDispose]();
});

/** A notifier with a clock that tests move. */
function createParts() {
  const books = openBooks(createDataDir(), 'test.sqlite', [DELIVERY_SCHEMA], (db) => ({
    deliveries: createDeliveryBooks(db),
  }));
  const clock = { at: 1_000 };
  return { books, clock, notifier: createTestNotifier(books, clock) };
}

const createTestNotifier = (books: TestBooks, clock: { at: number }) =>
  createNotifier({
    books: books.deliveries,
    commit: books.commit,
    now: () => clock.at,
    retryWaitsMs: [5 * MINUTE_MS, 10 * MINUTE_MS],
    timeoutMs: 200,
    isAccepted: ({ status }) => status < 300,
  });

const notify = async (body: string, changes: Partial<Notification> = {}): Promise<void> => {
  const { notifier, books } = parts;
  const urgent = await books.commit(() => {
    notifier.deliver({
      url: receiver.url,
      event: 'captured',
      subject: body,
      compose: (variant) => ({ headers: { 'x-variant': variant }, body }),
      ...changes,
    });
    return notifier.takeUrgent();
  });
  await notifier.flush(urgent);
};

const bodies = async (count: number) => (await receiver.arrived(count)).map(({ body }) => body);

async function control(method: string, path: string, body?: unknown) {
  const { notifier, books, clock } = parts;
  const query = new URLSearchParams(path.split('?')[1]);
  const call = { method, path: path.split('?')[0] ?? '', query, body };
  const services = { books, notifier, now: () => clock.at };
  const answer = await books.commit(() =>
    serveControl<typeof services>(notificationControlRoutes, services, call),
  );
  notifier.wake();
  return answer;
}
const addFault = (fault: object) => control('POST', '/notification-faults', fault);
const deliveries = async () =>
  (await control('GET', '/notifications?limit=5')).body as Record<string, unknown>[];

/** Waits until a delivery has a state. */
async function reaches(state: string): Promise<Record<string, unknown>> {
  for (;;) {
    const found = (await deliveries()).find((delivery) => delivery.state === state);
    if (found) return found;
    await new Promise(setImmediate);
  }
}

const advance = (ms: number): void => {
  parts.clock.at += ms;
  parts.notifier.wake();
};

describe('a notification', () => {
  it('is sent with its headers, as it was composed', async () => {
    await notify('{"fx":1.10,"city":"Zürich"}');
    const [first] = await receiver.arrived(1);
    expect(first?.body).toBe('{"fx":1.10,"city":"Zürich"}');
    expect(first?.headers).toMatchObject({
      'x-variant': 'valid',
      'content-type': 'application/json',
    });
    expect(await reaches('delivered')).toMatchObject({ attempts: 1, last_result: '200' });
  });

  it('of one address waits for the notification before it', async () => {
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    receiver.respond = async ({ body }) => {
      order.push(`arrived ${body}`);
      if (body === '1') await gate.promise;
      order.push(`answered ${body}`);
      return 200;
    };
    await notify('1');
    await notify('2');
    await receiver.arrived(1);
    gate.resolve();
    await receiver.arrived(2);
    await reaches('delivered');
    expect(order.slice(0, 3)).toEqual(['arrived 1', 'answered 1', 'arrived 2']);
  });

  it.each([500, 404, 302])(
    'is sent again after %i, and fails after the last wait',
    async (status) => {
      receiver.respond = () => status;
      await notify('again');
      expect(await reaches('waiting')).toBeDefined();
      await receiver.arrived(1);
      for (const [count, wait_ms] of [
        [2, 5],
        [3, 10],
      ] as const) {
        await untilAttempts(count - 1);
        advance(wait_ms * MINUTE_MS - 1);
        expect(receiver.received.length).toBe(count - 1);
        advance(1);
        await receiver.arrived(count);
      }
      expect(await reaches('failed')).toMatchObject({ attempts: 3, last_result: String(status) });
    },
  );

  it('is sent again if the receiver is silent', async () => {
    receiver.respond = () => new Promise(() => undefined);
    await notify('silent');
    await untilAttempts(1);
    expect(await deliveries()).toMatchObject([{ state: 'waiting', last_result: 'TimeoutError' }]);
  });

  it('can be sent again by control', async () => {
    await notify('once more');
    const { position } = await reaches('delivered');
    expect((await control('POST', `/notifications/${position}/resend`)).status).toBe(204);
    expect(await bodies(2)).toEqual(['once more', 'once more']);
    expect((await control('POST', '/notifications/99/resend')).status).toBe(404);
  });

  it('survives the end of its notifier', async () => {
    receiver.respond = () => 503;
    await notify('durable');
    await untilAttempts(1);
    parts.notifier[Symbol.dispose]();
    parts.clock.at += 5 * MINUTE_MS;
    const notifier = createTestNotifier(parts.books, parts.clock);
    parts = { ...parts, notifier };
    expect(await bodies(2)).toEqual(['durable', 'durable']);
  });

  async function untilAttempts(attempts: number): Promise<void> {
    while ((await deliveries())[0]?.attempts !== attempts) await new Promise(setImmediate);
  }
});

describe('faults', () => {
  it('lost: the notification is never sent', async () => {
    await addFault({ kind: 'lost', event: 'captured', subject: 'a' });
    await notify('a');
    await notify('b');
    expect(await bodies(1)).toEqual(['b']);
    expect((await reaches('lost')).attempts).toBe(0);
  });

  it('doubled: the notification is sent twice', async () => {
    await addFault({ kind: 'doubled' });
    await notify('a');
    expect(await bodies(2)).toEqual(['a', 'a']);
  });

  it('late: the notification is sent after the delay', async () => {
    await addFault({ kind: 'late', delay_ms: MINUTE_MS });
    await notify('a');
    await notify('b');
    expect(await bodies(1)).toEqual(['b']);
    advance(MINUTE_MS);
    expect(await bodies(2)).toEqual(['b', 'a']);
  });

  it('out of order: the notification is sent after the next one', async () => {
    await addFault({ kind: 'out_of_order' });
    await notify('a');
    expect((await deliveries())[0]).toMatchObject({ state: 'held' });
    await notify('b');
    await receiver.arrived(1);
    advance(1);
    expect(await bodies(2)).toEqual(['b', 'a']);
  });

  it('before the answer: `flush` waits for the first attempt', async () => {
    await addFault({ kind: 'before_answer' });
    receiver.respond = () => 500;
    await notify('a');
    expect(receiver.received.length).toBe(1);
  });

  it('before the answer: `flush` does not wait for a notification that was undone', async () => {
    await addFault({ kind: 'before_answer' });
    const { books, notifier } = parts;
    const undone = books.commit(() => {
      books.rehearse(() =>
        notifier.deliver({
          url: receiver.url,
          event: 'captured',
          subject: 'a',
          compose: () => ({ headers: {}, body: 'a' }),
        }),
      );
      return notifier.takeUrgent();
    });
    await parts.notifier.flush(await undone);
    expect(await deliveries()).toEqual([]);
  });

  it.each(['wrong_signature', 'unknown_type', 'malformed'])(
    '%s: the notification is composed so, as many times as asked',
    async (kind) => {
      await addFault({ kind, times: 2 });
      for (const body of ['a', 'b', 'c']) await notify(body);
      const variants = (await receiver.arrived(3)).map(({ headers }) => headers['x-variant']);
      expect(variants).toEqual([kind, kind, 'valid']);
    },
  );

  it('can be removed, and are checked', async () => {
    await addFault({ kind: 'lost' });
    expect((await control('DELETE', '/notification-faults')).status).toBe(204);
    await notify('a');
    expect(await bodies(1)).toEqual(['a']);
    for (const fault of [
      { kind: 'gone' },
      { kind: 'late', delay_ms: -1 },
      { kind: 'lost', times: 0 },
    ])
      expect((await addFault(fault)).status).toBe(400);
  });
});
