import { randomUUID } from 'node:crypto';
import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configFromEnv } from '../../src/config/env.ts';
import { ALIKE_MAX, INSTALLATION_ALIKE_MAX } from '../../src/limits/number-tries.ts';
import { type Answer, errorOf, startTestVault, type TestVault } from '../support/vault.ts';

/** The attacker has the server, and asks the vault as often as the vault answers. */
const LIMITS = { ingest: 30, describe: 5, attach: 5, destroy: 5, relay: 3 };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault([], { limits: LIMITS });
});
afterAll(() => vault[Symbol.asyncDispose]());

const alarms = (merchant_id: string) =>
  vault.log
    .map((line) => JSON.parse(line))
    .filter((entry) => entry.event === 'limit_exceeded' && entry.merchant_id === merchant_id);

async function countAllowed(times: number, call: () => Promise<Answer>): Promise<number> {
  let count = 0;
  for (let time = 0; time < times; time += 1) {
    const answer = await call();
    if (answer.status !== 429) count += 1;
    else expect(errorOf(answer).error).toBe('limited');
  }
  return count;
}

describe.each(['describe', 'attach', 'destroy'] as const)('/%s', (verb) => {
  const call = (merchant_id: string) => () =>
    vault.post(`/${verb}`, { merchant_id, mode: 'live', card_pan_token: 'pan_unknown' });

  test('answers a merchant as often as its limit says, with one alarm a minute', async () => {
    vault.clock.now += MINUTE_MS;
    const merchant = `merchant-${verb}`;
    expect(await countAllowed(3 * LIMITS[verb], call(merchant))).toBe(LIMITS[verb]);
    expect(alarms(merchant)).toMatchObject([{ verb, what: 'calls', mode: 'live', level: 40 }]);
    expect(await countAllowed(LIMITS[verb], call(`other-${verb}`))).toBe(LIMITS[verb]);
    vault.clock.now += MINUTE_MS;
    expect(await countAllowed(2 * LIMITS[verb], call(merchant))).toBe(LIMITS[verb]);
    expect(alarms(merchant)).toHaveLength(2);
  });
});

test('refusals are in the audit, and health counts them for the metrics of the server', async () => {
  await expect
    .poll(() =>
      vault.database.query(
        `select distinct verb from vault.audit where outcome = 'limited_calls' order by verb`,
      ),
    )
    .toEqual([{ verb: 'attach' }, { verb: 'describe' }, { verb: 'destroy' }]);
  const { limited } = JSON.parse((await vault.get('/health')).text);
  expect(limited).toEqual({ ingest: 0, describe: 15, attach: 15, destroy: 15, relay: 0 });
});

test('messages beyond the limit are not sent, and wait as for a busy vault', async () => {
  vault.clock.now += MINUTE_MS;
  const request = (): RelayRequest => ({
    id: randomUUID(),
    merchant_id: 'merchant-relay',
    mode: 'live',
    card_pan_token: 'pan_unknown',
    consumes_cvv: false,
    method: 'POST',
    url: 'http://127.0.0.1:1/approve',
    headers: {},
    body: { number: null },
    card_fields: { '/number': 'pan' },
    timeout_ms: 5_000,
    not_after: Number.MAX_SAFE_INTEGER,
  });
  const answers = await vault.relay(...Array.from({ length: 5 }, request));
  const reasons = answers.map((answer) => 'why' in answer && answer.why);
  expect(reasons.filter((why) => why === 'vault_busy')).toHaveLength(2);
  expect(alarms('merchant-relay')).toHaveLength(1);
});

describe('numbers that differ in the middle only', () => {
  /** Numbers with the first six and last four digits that the server knows of a card. */
  function* candidates(from = 0): Generator<string> {
    for (let middle = from; middle < 1_000_000; middle += 1) {
      const pan = `424242${String(middle).padStart(6, '0')}4242`;
      if (sumOf(pan) % 10 === 0) yield pan;
    }
  }
  const sumOf = (pan: string): number =>
    [...pan].reduce((sum, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
      return sum + (value > 9 ? value - 9 : value);
    }, 0);

  test('are not compared with a stored card until one has its fingerprint', async () => {
    const statuses: number[] = [];
    const numbers = candidates();
    for (let time = 0; time < ALIKE_MAX + 5; time += 1) {
      const pan = numbers.next().value;
      const content = { pan };
      const request = await vault.sealedRequest({
        merchant_id: 'merchant-alike',
        pan: { content },
      });
      statuses.push((await vault.post('/ingest', request)).status);
    }
    expect(statuses).toEqual([...Array(ALIKE_MAX).fill(200), ...Array(5).fill(429)]);
    expect(alarms('merchant-alike')).toMatchObject([{ verb: 'ingest', what: 'alike_numbers' }]);
  });

  test('are counted for all vaults of a database, at once and after a restart', async () => {
    vault.clock.now += MINUTE_MS;
    const numbers = candidates();
    const tryNumbers = (times: number) =>
      Promise.all(
        Array.from({ length: times }, async () => {
          const pan = { content: { pan: numbers.next().value } };
          const request = await vault.sealedRequest({ merchant_id: 'merchant-restart', pan });
          return (await vault.post('/ingest', request)).status;
        }),
      );
    const statuses = await tryNumbers(ALIKE_MAX + 4);
    expect(statuses.filter((status) => status === 200)).toHaveLength(ALIKE_MAX);
    await vault.restart();
    expect(await tryNumbers(2)).toEqual([429, 429]);
    expect(alarms('merchant-restart')).toHaveLength(1);
    const [row] = await vault.database.query(
      `select array_agg(mark) as marks, max(count) as count from vault.alike_counts
       where merchant_id = 'merchant-restart'`,
    );
    expect(row).toEqual({ marks: [expect.stringMatching(/^[\w-]{43}$/)], count: ALIKE_MAX + 1 });
  });

  test('tell nothing beyond the limit: the stored card gets the same answer', async () => {
    const [stored, late] = [candidates(), candidates(900_000)].map((one) => one.next().value);
    const enter = async (pan: string) => {
      const options = { merchant_id: 'merchant-alike', pan: { content: { pan } } };
      const { status, text } = await vault.post('/ingest', await vault.sealedRequest(options));
      return { status, text };
    };
    vault.clock.now += MINUTE_MS;
    const answer = await enter(stored);
    expect(answer.status).toBe(429);
    expect(await enter(late)).toEqual(answer);
    expect(alarms('merchant-alike')).toHaveLength(1);
    vault.clock.now += DAY_MS;
    expect([(await enter(stored)).status, (await enter(late)).status]).toEqual([200, 200]);
  });

  test('tell nothing in a crowd: many at once are one after the other', async () => {
    const merchant_id = 'merchant-crowd';
    const [first, ...crowd] = Array.from(candidates()).slice(0, 3 * ALIKE_MAX + 1);
    const enter = async (pan: string) => {
      const request = await vault.sealedRequest({ merchant_id, pan: { content: { pan } } });
      return () => vault.post('/ingest', request);
    };
    const stored = first as string;
    expect((await (await enter(stored))()).status).toBe(200);
    const sends = await Promise.all([...crowd, stored].map(enter));
    const answers = await Promise.all(sends.map((send) => send()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(ALIKE_MAX - 1);
    expect(answers.at(-1)?.status).toBe(429);
  });

  test('are counted for all merchants, also for those that a server invents, in live mode', async () => {
    const merchants = INSTALLATION_ALIKE_MAX / ALIKE_MAX;
    const numbers = candidates(500_000);
    const enter = async (merchant_id: string, mode: 'live' | 'sandbox') => {
      const pan = { content: { pan: numbers.next().value } };
      return (await vault.post('/ingest', await vault.sealedRequest({ merchant_id, mode, pan })))
        .status;
    };
    for (const mode of ['live', 'sandbox'] as const) {
      for (let place = 0; place < INSTALLATION_ALIKE_MAX; place += 1)
        expect(await enter(`invented-${place % merchants}`, mode)).toBe(200);
      expect(await enter('invented-last', mode)).toBe(mode === 'live' ? 429 : 200);
    }
    expect(alarms('invented-last')).toMatchObject([{ what: 'alike_numbers', mode: 'live' }]);
  });

  test('cannot be compared with a card that a payer entered, by its seal', async () => {
    const content = { content: { pan: candidates(700_000).next().value } };
    const request = await vault.sealedRequest({ merchant_id: 'merchant-payer', pan: content });
    expect((await vault.post('/ingest', request)).status).toBe(200);
    const replayed = await vault.post('/ingest', { ...request, merchant_id: 'merchant-invented' });
    expect(replayed.text).toContain('sealed_card_replayed');
    const stored = await vault.database.query(
      `select from vault.fingerprint_ids where merchant_id = 'merchant-invented'`,
    );
    expect(stored).toEqual([]);
  });

  test('are counted where a seal is repeated for other numbers, whose id the server knows', async () => {
    const merchant_id = 'merchant-repeated';
    const [sid, claims] = [randomUUID(), { jti: randomUUID() }];
    const cvv = { claims: { jti: randomUUID() } };
    const enter = async (number: string) => {
      const pan = { content: { pan: number }, claims };
      const request = await vault.sealedRequest({ merchant_id, sid, pan, cvv });
      return (await vault.post('/ingest', request)).status;
    };
    const [stored, ...others] = Array.from(candidates()).slice(0, ALIKE_MAX + 1) as [string];
    expect([await enter(stored), await enter(stored)]).toEqual([200, 200]);
    for (const number of others) await enter(number);
    expect(await enter(stored)).toBe(429);
    expect(alarms(merchant_id)).toMatchObject([{ what: 'alike_numbers' }]);
  });

  test('are not looked up before all seals are new', async () => {
    const merchant_id = 'merchant-twice';
    const claims = { jti: randomUUID() };
    const pan = { content: { pan: candidates().next().value }, claims };
    const request = await vault.sealedRequest({ merchant_id, pan, cvv: { claims } });
    expect((await vault.post('/ingest', request)).status).not.toBe(200);
    expect(await countsOf(merchant_id)).toEqual([]);
  });

  test('count for each merchant alone in the sandbox, and make nobody wait', async () => {
    await vault.ingest({ merchant_id: 'merchant-sandbox' });
    const rows = await vault.database.query(
      `select from vault.alike_counts where merchant_id = '' and mode = 'sandbox'`,
    );
    expect(rows).toEqual([]);
  });

  const countsOf = (merchant_id: string) =>
    vault.database.query('select from vault.alike_counts where merchant_id = $1', [merchant_id]);

  test('are forgotten after a day', async () => {
    vault.clock.now += 2 * DAY_MS;
    await vault.restart();
    const former = `select from vault.alike_counts where merchant_id = 'merchant-restart'`;
    await expect.poll(() => vault.database.query(former), { timeout: 5_000 }).toEqual([]);
  });
});

test.each(['ingest', 'ingest=0', 'steal=5', 'relay=1e3'])(
  'VAULT_LIMITS=%s is refused with the accepted form',
  (VAULT_LIMITS) => {
    const env = { VAULT_SOCKET: 'x', VAULT_DATABASE_URL: 'x', VAULT_DATA: 'x', VAULT_LIMITS };
    expect(() => configFromEnv(env)).toThrow(/^VAULT_LIMITS must list calls per minute such as/);
  },
);
