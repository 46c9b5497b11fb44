import { randomBytes, randomUUID } from 'node:crypto';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MountSession } from '../../src/features/checkout/session.ts';
import {
  type CardEntryRequest,
  createTries,
  TooManyTriesError,
  type Tries,
  type Try,
} from '../../src/features/checkout/tries.ts';
import {
  ABANDONS,
  KEY_FAILURES,
  maxOf,
  REPEATS,
  tryLimits,
} from '../../src/features/checkout/try-limits.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { pruneTries } from '../../src/platform/rates/shared-tries.ts';
import { instantText } from '../../src/platform/time/clock.ts';
import { clockAhead } from '../support/clock-ahead.ts';

const clock = clockAhead();
const key = randomBytes(32);
const cleanup = new AsyncDisposableStack();
let db: Database;
/** Two processes of one installation, which take turns. */
let processes: [Tries, Tries];
beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  const open = () => cleanup.use(openDatabase({ url, connections_max: 2 }));
  db = open();
  processes = [createTries({ db, clock, key }), createTries({ db: open(), clock, key })];
});
afterAll(() => cleanup.disposeAsync());

let counter = 0;
const next = (): string => `${++counter}`;

/** A new card in a new form, for a new payment: nothing of it was attempted before. */
const newEntry = (session: Partial<MountSession> = {}): CardEntryRequest => ({
  session: {
    scope: { merchant_id: randomUUID(), mode: 'live' },
    payment_id: randomUUID(),
    threeds: 'when_available',
    token_id: randomUUID(),
    nonce: next(),
    expires: clock.now() + 3_600_000_000,
    ...session,
  },
  sealed: [next(), next()],
  ip: `10.${counter >> 16}.${(counter >> 8) & 255}.${counter & 255}`,
});

type Make = () => CardEntryRequest;
const enter = (entering: CardEntryRequest): Promise<Try> => {
  const tryLimiter = processes[counter++ % 2] as Tries;
  return tryLimiter.enter(entering);
};
const tryOnce = async (entering: CardEntryRequest, card = next()): Promise<void> =>
  (await enter(entering)).withCard(card);

/** Number of accepted attempts, and the wait in seconds of the first refused one. */
async function countUntilRefused(work: () => Promise<unknown>, at_most = 1_000) {
  for (let count = 0; count < at_most; count++) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof TooManyTriesError)) throw error;
      return { count, wait: error.retry_after_seconds };
    }
  }
  return { count: at_most, wait: 0 };
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
const { form, payment, card, address_hour, address_day, site_hour } = tryLimits;

/** Common property of a row's attempts, their maximum, and the window in seconds. */
const shared: readonly [string, () => Make, number, number][] = [
  ['one form', () => sameSession({ nonce: next() }), form.max, HOUR],
  ['one payment', () => sameSession({ payment_id: randomUUID() }), payment.max, DAY],
  ['one address', () => sameAddress('192.0.2.1'), address_hour.max, HOUR],
  ['one address as IPv6 writes it', () => sameAddress('::ffff:192.0.2.2'), address_hour.max, HOUR],
];

function sameSession(part: Partial<MountSession>): Make {
  const scope = { merchant_id: randomUUID(), mode: 'live' } as const;
  return () => newEntry({ scope, ...part });
}

const sameAddress =
  (ip: string): Make =>
  () => ({ ...newEntry(), ip });

describe('cards tried at two processes', () => {
  it.each(shared)(
    'in %s are limited together, until the window ends',
    async (_what, make, max, window_s) => {
      const one = make();
      const { count, wait } = await countUntilRefused(() => tryOnce(one()));
      expect([count, wait > window_s - 60 && wait <= window_s]).toEqual([max, true]);
      clock.advance(wait - 60);
      await expect(tryOnce(one())).rejects.toThrow(TooManyTriesError);
      clock.advance(61);
      await tryOnce(one());
    },
  );

  it('are limited per card, across forms and addresses', async () => {
    const one = sameSession({});
    const number = next();
    expect(await countUntilRefused(() => tryOnce(one(), number))).toMatchObject({
      count: card.max,
    });
    await tryOnce(one());
    // Card fingerprints belong to a merchant, so another merchant knows nothing of the card.
    await tryOnce(newEntry(), number);
  });

  it('from one address are limited per day as well', async () => {
    const one = sameAddress('192.0.2.3');
    let count = 0;
    while (count < address_day.max) {
      count += (await countUntilRefused(() => tryOnce(one()), address_hour.max - 1)).count;
      clock.advance(HOUR);
    }
    const { wait } = await countUntilRefused(() => tryOnce(one()), address_hour.max);
    expect(wait).toBeGreaterThan(HOUR);
  });

  it('from one IPv6 network count as one address', async () => {
    const fromSubnet = (part: string): Make => sameAddress(`2001:db8:1:${part}`);
    let host = 0;
    const { count } = await countUntilRefused(() =>
      tryOnce(fromSubnet(`1::${(++host).toString(16)}`)()),
    );
    expect(count).toBe(address_hour.max);
    await tryOnce(fromSubnet('2::1')());
  });

  it('from one IPv6 site are limited, like ten addresses', async () => {
    let network = 0;
    const fromNewAddress = () => {
      network += 1;
      return { ...newEntry(), ip: `2001:db8:2:${network.toString(16)}::1` };
    };
    await tryOnce(fromNewAddress());
    const site = createSigner(key).sign('site hour\nlive\n8193:3512:2');
    const sql = 'update card_tries set tries = $2 where subject = $1 returning 1';
    expect(await db.query(sql, [site, site_hour.max - 3])).toHaveLength(1);
    expect((await countUntilRefused(() => tryOnce(fromNewAddress()))).count).toBe(3);
    expect(site_hour.max).toBeGreaterThanOrEqual(10 * address_hour.max);
    await tryOnce({ ...newEntry(), ip: '2001:db8:3::1' });
  });

  it('sent concurrently are counted one by one', async () => {
    const one = sameSession({ nonce: next() });
    const all = Array.from({ length: form.max * 3 }, () => tryOnce(one()));
    const settled = await Promise.allSettled(all);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(form.max);
  });

  it('have a higher limit in the sandbox', async () => {
    const scope = { merchant_id: randomUUID(), mode: 'sandbox' } as const;
    const sameEntry: Make = () => ({ ...newEntry({ scope }), ip: '192.0.2.4' });
    expect(maxOf(address_hour, 'sandbox')).toBeGreaterThan(50 * maxOf(address_hour, 'live'));
    const most = address_hour.max + 5;
    expect(await countUntilRefused(() => tryOnce(sameEntry()), most)).toEqual({
      count: most,
      wait: 0,
    });
  });
});

describe('cards beyond a limit', () => {
  const countStored = async (): Promise<number> =>
    Number((await db.query('select count(*) as count from card_tries', []))[0]?.count);

  it.each<[string, () => Make]>([
    ['a form', () => sameSession({ nonce: next() })],
    ['a payment, in a form of their own each', () => sameSession({ payment_id: randomUUID() })],
    ['an address', () => sameAddress('192.0.2.6')],
  ])('of %s store nothing in the database', async (_what, make) => {
    const one = make();
    await countUntilRefused(() => tryOnce(one()));
    const before = await countStored();
    for (let count = 0; count < 30; count++) {
      await expect(tryOnce(one())).rejects.toThrow(TooManyTriesError);
    }
    expect(await countStored()).toBe(before);
  });
});

describe('abandoned attempts', () => {
  it('are limited per payment, by both processes together', async () => {
    const { session } = newEntry();
    const abandon = () =>
      (processes[counter++ % 2] as Tries).abandon({ ...session, nonce: next() });
    expect((await countUntilRefused(abandon)).count).toBe(ABANDONS.max);
    await (processes[0] as Tries).abandon(newEntry().session);
  });
});

describe('a sealed card that is sent again', () => {
  it('is not counted again', async () => {
    const one = newEntry();
    const number = next();
    expect((await countUntilRefused(() => tryOnce(one, number))).count).toBe(REPEATS.max);
    const otherCustomers: Make = () => ({ ...newEntry(), session: one.session, ip: one.ip });
    expect((await countUntilRefused(() => tryOnce(otherCustomers()))).count).toBe(form.max - 1);
  });

  it('is refused as before, and counts with another code', async () => {
    const make = sameSession({ nonce: next() });
    const first = make();
    await tryOnce(first);
    const guesses = await countUntilRefused(() =>
      tryOnce({ ...first, sealed: [first.sealed[0]!, next()] }),
    );
    expect(guesses.count).toBe(form.max - 1);
    const refused = make();
    for (const _ of [1, 2]) await expect(tryOnce(refused)).rejects.toThrow(TooManyTriesError);
  });
});

describe('failed cards', () => {
  const failChallenge = async (entering: CardEntryRequest): Promise<void> =>
    (await enter(entering)).failed();

  it('count twice for their address', async () => {
    const one = sameAddress('192.0.2.5');
    expect((await countUntilRefused(() => failChallenge(one()))).count).toBe(address_hour.max / 2);
  });

  it('block their publishable key above a limit, from any address, until the window ends', async () => {
    const one = sameSession({ token_id: randomUUID() });
    const { count, wait } = await countUntilRefused(() => failChallenge(one()));
    expect([count, wait <= 600]).toEqual([KEY_FAILURES.max + 1, true]);
    await expect(tryOnce(one())).rejects.toThrow(TooManyTriesError);
    await tryOnce(newEntry());
    clock.advance(601);
    await tryOnce(one());
  });

  it('after a challenge count once, however often the form asks', async () => {
    const one = sameAddress('192.0.2.7');
    const failChallenge = async (): Promise<void> => {
      const entering = one();
      await enter(entering);
      const authentication = next();
      for (const tryLimiter of processes)
        await tryLimiter.challengeFailed(entering, authentication);
    };
    expect((await countUntilRefused(failChallenge)).count).toBe(address_hour.max / 2);
  });

  it('are counted in the same window as the attempts of their key', async () => {
    const one = newEntry();
    const attempt = await enter(one);
    clock.advance(601);
    // The first report after the window is the failure of an earlier card.
    await attempt.failed();
    clock.advance(300);
    await enter({ ...one, sealed: [next()] });
    const subjects = ['key', 'key failures'].map((name) =>
      createSigner(key).sign(`${name}\n${one.session.token_id}`),
    );
    const rows = await db.query('select expires_at from card_tries where subject = any ($1)', [
      subjects,
    ]);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual(rows[1]);
  });

  it('do not block a key with as many good cards', async () => {
    const token_id = randomUUID();
    const one = sameSession({ token_id });
    const tryMixed = async (): Promise<void> => {
      await Promise.all([tryOnce(one()), tryOnce(one())]);
      await failChallenge(one());
    };
    await tryMixed();
    for (const [name, tryLimiter] of [
      ['key', 3 * (KEY_FAILURES.max - 2)],
      ['key failures', KEY_FAILURES.max - 2],
    ] as const) {
      const subject = createSigner(key).sign(`${name}\n${token_id}`);
      const sql = 'update card_tries set tries = $2 where subject = $1 returning 1';
      expect(await db.query(sql, [subject, tryLimiter])).toHaveLength(1);
    }
    expect(await countUntilRefused(tryMixed, 12)).toEqual({ count: 12, wait: 0 });
  });
});

describe('stored counters of attempts', () => {
  it('contain no address, card, form or key', async () => {
    const one = { ...newEntry(), ip: '198.51.100.77' };
    await tryOnce(one, 'fp_a_fingerprint');
    const rows = await db.query('select t::text as text from card_tries t', []);
    const text = rows.map((row) => row.text).join('\n');
    const { token_id, payment_id } = one.session;
    for (const secret of [
      one.ip,
      'fp_a_fingerprint',
      token_id,
      payment_id,
      ...one.sealed.map((sealed) => `(${sealed},`),
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('are pruned in batches after their window', async () => {
    await tryOnce(newEntry());
    const now = () => instantText(clock.now());
    await pruneTries(db, now(), 1_000_000);
    const left = (await db.query('select 1 from card_tries', [])).length;
    expect(left).toBeGreaterThan(3);
    clock.advance(2 * DAY);
    expect(await pruneTries(db, now(), 3)).toBe(3);
    expect(await pruneTries(db, now(), 1_000_000)).toBe(left - 3);
  });
});
