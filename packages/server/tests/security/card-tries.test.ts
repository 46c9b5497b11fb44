import { randomBytes, randomUUID } from 'node:crypto';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { insertUnchecked } from '@florin/dev-env/insert-unchecked.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countAttached } from '../../src/features/checkout/count-declines.ts';
import type { MountSession } from '../../src/features/checkout/session.ts';
import {
  type CardEntryRequest,
  createTries,
  type RefusedTry,
  TooManyTriesError,
  type Tries,
  type Try,
} from '../../src/features/checkout/tries.ts';
import {
  ABANDONS,
  KEY_FAILURES,
  maxOf,
  PREFIX_FAILURES,
  REPEATS,
  tryLimits,
} from '../../src/features/checkout/try-limits.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { countTries, pruneTries } from '../../src/platform/rates/shared-tries.ts';
import { instantText } from '../../src/platform/time/clock.ts';
import { createClockAhead } from '../support/clock-ahead.ts';

const clock = createClockAhead();
const key = randomBytes(32);
const cleanup = new AsyncDisposableStack();
let db: Database;
let adminDatabaseUrl: string;
/** Two processes of one installation, which take turns. */
let processes: [Tries, Tries];
beforeAll(async () => {
  const { url, adminUrl } = cleanup.use(await cloneDatabase());
  adminDatabaseUrl = adminUrl;
  const openConnection = () => cleanup.use(openDatabase({ url, connections_max: 2 }));
  db = openConnection();
  const options = { clock, key, monotonic_ms: () => clock.now() / 1_000, onRefused };
  processes = [createTries({ ...options, db }), createTries({ ...options, db: openConnection() })];
});
afterAll(() => cleanup.disposeAsync());

const refusals: RefusedTry[] = [];
const onRefused = async (refusal: RefusedTry) => void refusals.push(refusal);

let counter = 0;
const nextValue = (): string => `${++counter}`;

/** A new card in a new form of a new network, for a new payment: nothing of it was attempted before. */
const newEntry = (session: Partial<MountSession> = {}): CardEntryRequest => ({
  session: {
    scope: { merchant_id: randomUUID(), mode: 'live' },
    payment_id: randomUUID(),
    threeds: 'when_available',
    token_id: randomUUID(),
    nonce: nextValue(),
    expires: clock.now() + 3_600_000_000,
    ...session,
  },
  sealed: [nextValue(), nextValue()],
  ip: `10.${(counter >> 8) & 255}.${counter & 255}.7`,
});

type EntryFactory = () => CardEntryRequest;
const enter = (entry: CardEntryRequest): Promise<Try> => {
  const tryLimiter = processes[counter++ % 2] as Tries;
  return tryLimiter.enter(entry);
};
const tryOnce = async (entry: CardEntryRequest, card = nextValue()): Promise<void> => {
  const attempt = await enter(entry);
  await attempt.withCard(card);
  await countAttached({ system_clock: clock }, db, attempt.counters);
};

/** Number of accepted attempts, and the wait in seconds of the first refused one. */
async function countUntilRefused(work: () => Promise<unknown>, max_count = 1_000) {
  for (let count = 0; count < max_count; count++) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof TooManyTriesError)) throw error;
      return { count, wait: error.retry_after_seconds };
    }
  }
  return { count: max_count, wait: 0 };
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const { form, payment, card, address_hour, address_day } = tryLimits;
const { prefix_hour, key_hour, key_day, key_network, payer_failures } = tryLimits;

/** Common property of a row's attempts, their maximum, and the window in seconds. */
const sharedLimits: readonly [string, () => EntryFactory, number, number][] = [
  ['one form', () => createSessionEntries({ nonce: nextValue() }), form.max, HOUR_SECONDS],
  [
    'one payment',
    () => createSessionEntries({ payment_id: randomUUID() }),
    payment.max,
    DAY_SECONDS,
  ],
  [
    'one publishable key or link, though none failed',
    () => createSessionEntries({ token_id: randomUUID() }),
    key_hour.max,
    HOUR_SECONDS,
  ],
  ['one address', () => createAddressEntries('192.0.2.1'), address_hour.max, HOUR_SECONDS],
  [
    'one address as IPv6 writes it',
    () => createAddressEntries('::ffff:192.0.2.2'),
    address_hour.max,
    HOUR_SECONDS,
  ],
];

function createSessionEntries(fields: Partial<MountSession>): EntryFactory {
  const scope = { merchant_id: randomUUID(), mode: 'live' } as const;
  return () => newEntry({ scope, ...fields });
}

const createAddressEntries =
  (ip: string): EntryFactory =>
  () => ({ ...newEntry(), ip });

describe('cards tried at two processes', () => {
  it.each(sharedLimits)(
    'in %s are limited together, until the window ends',
    async (_title, createEntries, max, window_s) => {
      const makeEntry = createEntries();
      const { count, wait } = await countUntilRefused(() => tryOnce(makeEntry()));
      expect([count, wait > window_s - 60 && wait <= window_s]).toEqual([max, true]);
      clock.advance(wait - 60);
      await expect(tryOnce(makeEntry())).rejects.toThrow(TooManyTriesError);
      clock.advance(61);
      await tryOnce(makeEntry());
    },
  );

  it('at one key are limited per day as well', async () => {
    const makeEntry = createSessionEntries({ token_id: randomUUID() });
    await countUntilRefused(() => tryOnce(makeEntry()));
    clock.advance(HOUR_SECONDS + 1);
    const { count, wait } = await countUntilRefused(() => tryOnce(makeEntry()));
    expect([count, wait > 22 * HOUR_SECONDS]).toEqual([key_day.max - key_hour.max, true]);
  });

  it('at one key are more where payers are approved, by twice their number', async () => {
    const merchant_id = randomUUID();
    const approved = {
      merchant_id,
      mode: 'live',
      status: 'succeeded',
      amount_cents: 100,
      amount_currency: 'USD',
      amount_authorised_cents: 100,
      amount_refunded_cents: 0,
      fee_cents: 0,
      capture_method: 'automatic',
      created_at: instantText(clock.now()),
    };
    await insertUnchecked(adminDatabaseUrl, 'payment_demands', approved, approved, approved);
    const scope = { merchant_id, mode: 'live' } as const;
    const makeEntry = createSessionEntries({ token_id: randomUUID(), scope });
    const { count } = await countUntilRefused(() => tryOnce(makeEntry()));
    expect(count).toBe(key_hour.max + 3 * key_hour.per_approval);
  });

  it('are limited per card, across forms and addresses', async () => {
    const makeEntry = createSessionEntries({});
    const fingerprint = nextValue();
    expect(await countUntilRefused(() => tryOnce(makeEntry(), fingerprint))).toMatchObject({
      count: card.max,
    });
    await tryOnce(makeEntry());
    // Card fingerprints belong to a merchant, so attempts at another merchant do not count.
    await tryOnce(newEntry(), fingerprint);
  });

  it('from one address are limited per day as well', async () => {
    const makeEntry = createAddressEntries('192.0.2.3');
    let count = 0;
    while (count < address_day.max) {
      count += (await countUntilRefused(() => tryOnce(makeEntry()), address_hour.max - 1)).count;
      clock.advance(HOUR_SECONDS);
    }
    const { wait } = await countUntilRefused(() => tryOnce(makeEntry()), address_hour.max);
    expect(wait).toBeGreaterThan(HOUR_SECONDS);
  });

  it('from one IPv6 network count as one address', async () => {
    const createSubnetEntries = (suffix: string): EntryFactory =>
      createAddressEntries(`2001:db8:1:${suffix}`);
    let host = 0;
    const { count } = await countUntilRefused(() =>
      tryOnce(createSubnetEntries(`1::${(++host).toString(16)}`)()),
    );
    expect(count).toBe(address_hour.max);
    await tryOnce(createSubnetEntries('2::1')());
  });

  it('from one IPv6 /48 are limited, like ten addresses', async () => {
    let network = 0;
    const newAddressEntry = () => {
      network += 1;
      return { ...newEntry(), ip: `2001:db8:2:${network.toString(16)}::1` };
    };
    await tryOnce(newAddressEntry());
    const prefix = createSigner(key).sign('prefix hour\nlive\n8193:3512:2::/48');
    const sql = 'update card_tries set tries = $2 where subject = $1 returning 1';
    expect(await db.query(sql, [prefix, prefix_hour.max - 3])).toHaveLength(1);
    expect((await countUntilRefused(() => tryOnce(newAddressEntry()))).count).toBe(3);
    expect(prefix_hour.max).toBeGreaterThanOrEqual(10 * address_hour.max);
    await tryOnce({ ...newEntry(), ip: '2001:db8:3::1' });
  });

  it('sent concurrently are counted one by one', async () => {
    const makeEntry = createSessionEntries({ nonce: nextValue() });
    const attempts = Array.from({ length: form.max * 3 }, () => tryOnce(makeEntry()));
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(form.max);
  });

  it('have a higher limit in the sandbox', async () => {
    const scope = { merchant_id: randomUUID(), mode: 'sandbox' } as const;
    const makeEntry: EntryFactory = () => ({ ...newEntry({ scope }), ip: '192.0.2.4' });
    expect(maxOf(address_hour, 'sandbox')).toBeGreaterThan(50 * maxOf(address_hour, 'live'));
    const attemptCount = address_hour.max + 5;
    expect(await countUntilRefused(() => tryOnce(makeEntry()), attemptCount)).toEqual({
      count: attemptCount,
      wait: 0,
    });
  });
});

describe('one attacker who wants to close a key', () => {
  /** Entries at one key from one /24, with an address each. */
  const createNetworkEntries = (token_id: string): EntryFactory => {
    const prefix = `198.19.${counter % 256}`;
    let host = 0;
    return () => ({ ...newEntry({ token_id }), ip: `${prefix}.${++host}` });
  };

  it('cannot with texts that are no card', async () => {
    const makeEntry = createSessionEntries({ token_id: randomUUID() });
    const { count } = await countUntilRefused(() => enter(makeEntry()), key_day.max + 5);
    expect(count).toBe(key_day.max + 5);
    await tryOnce(makeEntry());
  });

  it('cannot with the same cards again and again', async () => {
    const makeEntry = createSessionEntries({ token_id: randomUUID() });
    const fingerprints = Array.from({ length: 5 }, nextValue);
    let sent = 0;
    const work = () => tryOnce(makeEntry(), fingerprints[sent++ % 5]);
    expect((await countUntilRefused(work, key_hour.max + 5)).count).toBe(key_hour.max + 5);
    await tryOnce(makeEntry());
  });

  it.each([
    ['one after the other', 1],
    ['at once', key_hour.max + 5],
  ])('cannot from one network, with cards %s', async (_title, at_once) => {
    const token_id = randomUUID();
    const makeEntry = createNetworkEntries(token_id);
    let accepted = 0;
    for (let sent = 0; sent < key_hour.max + 5; sent += at_once) {
      const cards = Array.from({ length: at_once }, () => tryOnce(makeEntry()));
      for (const { status } of await Promise.allSettled(cards))
        if (status === 'fulfilled') accepted += 1;
    }
    expect(accepted).toBe(key_network.max);
    await tryOnce(newEntry({ token_id }));
  });
});

describe('cards beyond a limit', () => {
  const countStored = async (): Promise<number> =>
    Number((await db.query('select count(*) as count from card_tries', []))[0]?.count);

  it.each<[string, () => EntryFactory]>([
    ['a form', () => createSessionEntries({ nonce: nextValue() })],
    [
      'a payment, in a form of their own each',
      () => createSessionEntries({ payment_id: randomUUID() }),
    ],
    ['an address', () => createAddressEntries('192.0.2.6')],
  ])('of %s store nothing in the database', async (_title, createEntries) => {
    const makeEntry = createEntries();
    await countUntilRefused(() => tryOnce(makeEntry()));
    const storedBefore = await countStored();
    for (let count = 0; count < 30; count++) {
      await expect(tryOnce(makeEntry())).rejects.toThrow(TooManyTriesError);
    }
    expect(await countStored()).toBe(storedBefore);
  });
});

describe('abandoned attempts', () => {
  it('are limited per payment, by both processes together', async () => {
    const { session } = newEntry();
    const abandon = () =>
      (processes[counter++ % 2] as Tries).abandon({ ...session, nonce: nextValue() });
    expect((await countUntilRefused(abandon)).count).toBe(ABANDONS.max);
    await (processes[0] as Tries).abandon(newEntry().session);
  });
});

describe('a sealed card that is sent again', () => {
  it('is not counted again', async () => {
    const entry = newEntry();
    const fingerprint = nextValue();
    expect((await countUntilRefused(() => tryOnce(entry, fingerprint))).count).toBe(REPEATS.max);
    const makeNewCardEntry: EntryFactory = () => ({
      ...newEntry(),
      session: entry.session,
      ip: entry.ip,
    });
    expect((await countUntilRefused(() => tryOnce(makeNewCardEntry()))).count).toBe(form.max - 1);
  });

  it('is refused as before, and counts with another code', async () => {
    const makeEntry = createSessionEntries({ nonce: nextValue() });
    const firstEntry = makeEntry();
    await tryOnce(firstEntry);
    const guesses = await countUntilRefused(() =>
      tryOnce({ ...firstEntry, sealed: [firstEntry.sealed[0]!, nextValue()] }),
    );
    expect(guesses.count).toBe(form.max - 1);
    const refusedEntry = makeEntry();
    for (const _ of [1, 2]) await expect(tryOnce(refusedEntry)).rejects.toThrow(TooManyTriesError);
  });
});

describe('failed cards', () => {
  const failChallenge = async (entry: CardEntryRequest): Promise<void> =>
    (await enter(entry)).recordFailure();

  it('count twice for their address', async () => {
    const makeEntry = createAddressEntries('192.0.2.5');
    expect((await countUntilRefused(() => failChallenge(makeEntry()))).count).toBe(
      address_hour.max / 2,
    );
  });

  it('block their publishable key above a limit, from any address, until the window ends', async () => {
    const makeEntry = createSessionEntries({ token_id: randomUUID() });
    const { count, wait } = await countUntilRefused(() => failChallenge(makeEntry()));
    expect([count, wait <= 600]).toEqual([KEY_FAILURES.max + 1, true]);
    await expect(tryOnce(makeEntry())).rejects.toThrow(TooManyTriesError);
    await tryOnce(newEntry());
    clock.advance(601);
    await tryOnce(makeEntry());
  });

  it('close their key for as long as its window, however many attempts follow', async () => {
    const makeEntry = createSessionEntries({ token_id: randomUUID() });
    await countUntilRefused(() => failChallenge(makeEntry()));
    // Attempts, unreadable texts too, are no good cards that could outnumber the failures.
    for (let count = 0; count < 2 * KEY_FAILURES.max; count++)
      await expect(enter(makeEntry())).rejects.toThrow(TooManyTriesError);
  });

  it('close their key though half of the texts before them were no cards', async () => {
    const makeEntry = createSessionEntries({ token_id: randomUUID() });
    const failAmongTexts = async (): Promise<void> => {
      await enter(makeEntry());
      await enter(makeEntry());
      await failChallenge(makeEntry());
    };
    expect((await countUntilRefused(failAmongTexts, 60)).count).toBe(KEY_FAILURES.max + 1);
  });

  /** An address of a /24 of its own for each call of the factory. */
  const createPrefixEntries = (): EntryFactory => {
    const prefix = `198.18.${counter % 256}`;
    let host = 0;
    return () => ({ ...newEntry(), ip: `${prefix}.${++host}` });
  };

  it('block their /24 above a limit, whatever their addresses and keys', async () => {
    const makeEntry = createPrefixEntries();
    const { count, wait } = await countUntilRefused(() => failChallenge(makeEntry()));
    expect([count, wait <= HOUR_SECONDS]).toEqual([PREFIX_FAILURES.max + 1, true]);
    await expect(tryOnce(makeEntry())).rejects.toThrow(TooManyTriesError);
  });

  it('do not block a /24 with as many good cards next door', async () => {
    const makeEntry = createPrefixEntries();
    const tryMixed = async (): Promise<void> => {
      await tryOnce(makeEntry());
      await tryOnce(makeEntry());
      await failChallenge(makeEntry());
    };
    const rounds = PREFIX_FAILURES.max + 5;
    expect(await countUntilRefused(tryMixed, rounds)).toEqual({ count: rounds, wait: 0 });
  });

  it('of one payer are limited per day', async () => {
    const { session } = newEntry();
    const payer_id = randomUUID();
    const subject = `payer ${session.scope.merchant_id} ${payer_id}`;
    const enterFor = async (payer: string): Promise<void> =>
      (await enter({ ...newEntry(), session: { ...session, nonce: nextValue() } })).withPayer(
        payer,
      );
    const counts = [
      { subject, tries: payer_failures.max, expires_at: instantText(clock.now() + 60_000_000) },
    ];
    await enterFor(payer_id);
    await countTries(db, counts, instantText(clock.now()));
    await expect(enterFor(payer_id)).rejects.toThrow(TooManyTriesError);
    await enterFor(randomUUID());
  });

  it('are reported with the limit, and with an alert for a key', async () => {
    const makeEntry = createSessionEntries({ token_id: randomUUID() });
    refusals.length = 0;
    await countUntilRefused(() => failChallenge(makeEntry()));
    const form = createSessionEntries({ nonce: nextValue() });
    await countUntilRefused(() => tryOnce(form()));
    expect(refusals.map(({ limit, alerts }) => [limit, alerts !== undefined])).toEqual([
      ['key_failures', true],
      ['form', false],
    ]);
  });

  it('after a challenge count once, however often the form polls', async () => {
    const makeEntry = createAddressEntries('192.0.2.7');
    const failChallenge = async (): Promise<void> => {
      const entry = makeEntry();
      await enter(entry);
      const authentication = nextValue();
      for (const tryLimiter of processes)
        await tryLimiter.recordChallengeFailure(entry, authentication);
    };
    expect((await countUntilRefused(failChallenge)).count).toBe(address_hour.max / 2);
  });

  it('are counted in the same window as the attempts of their key', async () => {
    const entry = newEntry();
    const attempt = await enter(entry);
    clock.advance(601);
    // The first report after the window is the failure of an earlier card.
    await attempt.recordFailure();
    clock.advance(300);
    await enter({ ...entry, sealed: [nextValue()] });
    const subjects = ['key', 'key failures'].map((name) =>
      createSigner(key).sign(`${name}\n${entry.session.token_id}`),
    );
    const rows = await db.query('select expires_at from card_tries where subject = any ($1)', [
      subjects,
    ]);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual(rows[1]);
  });

  it('do not block a key with as many good cards', async () => {
    const token_id = randomUUID();
    const makeEntry = createSessionEntries({ token_id });
    const tryMixed = async (): Promise<void> => {
      await Promise.all([tryOnce(makeEntry()), tryOnce(makeEntry())]);
      await failChallenge(makeEntry());
    };
    await tryMixed();
    for (const [name, attemptCount] of [
      ['key', 3 * (KEY_FAILURES.max - 2)],
      ['key failures', KEY_FAILURES.max - 2],
    ] as const) {
      const subject = createSigner(key).sign(`${name}\n${token_id}`);
      const sql = 'update card_tries set tries = $2 where subject = $1 returning 1';
      expect(await db.query(sql, [subject, attemptCount])).toHaveLength(1);
    }
    expect(await countUntilRefused(tryMixed, 12)).toEqual({ count: 12, wait: 0 });
  });
});

describe('stored counters of attempts', () => {
  it('contain no address, card, form or key', async () => {
    const entry = { ...newEntry(), ip: '198.51.100.77' };
    await tryOnce(entry, 'fp_a_fingerprint');
    const rows = await db.query('select t::text as text from card_tries t', []);
    const text = rows.map((row) => row.text).join('\n');
    const { token_id, payment_id } = entry.session;
    for (const secret of [
      entry.ip,
      'fp_a_fingerprint',
      token_id,
      payment_id,
      ...entry.sealed.map((sealed) => `(${sealed},`),
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('are pruned in batches after their window', async () => {
    await tryOnce(newEntry());
    const nowText = () => instantText(clock.now());
    await pruneTries(db, nowText(), 1_000_000);
    const remainingCount = (await db.query('select 1 from card_tries', [])).length;
    expect(remainingCount).toBeGreaterThan(3);
    clock.advance(2 * DAY_SECONDS);
    expect(await pruneTries(db, nowText(), 3)).toBe(3);
    expect(await pruneTries(db, nowText(), 1_000_000)).toBe(remainingCount - 3);
  });
});
