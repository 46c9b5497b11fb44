import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REFUSED_NUMBERS_MAX } from '../../src/limits/new-numbers.ts';
import { ALIKE_MAX } from '../../src/limits/number-tries.ts';
import { startTestVault, type TestVault } from '../support/vault.ts';

/** The attacker has the server, and enters many different numbers, until one is that of a stored card. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault[Symbol.asyncDispose]());

/** Numbers that differ in their last digits, so that few are alike. */
function* differentNumbers(): Generator<string> {
  for (let tail = 0; ; tail += 1) {
    const digits = `42424200${String(tail).padStart(7, '0')}`;
    const pan = Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).find(
      (candidate) => sumOf(candidate) % 10 === 0,
    );
    yield pan as string;
  }
}

/** Numbers of one issuer with the same first and last digits, as a test of the other limit. */
function* alikeNumbers(): Generator<string> {
  for (let middle = 0; middle < 1_000_000; middle += 1) {
    const pan = `424242${String(middle).padStart(6, '0')}4242`;
    if (sumOf(pan) % 10 === 0) yield pan;
  }
}

const sumOf = (pan: string): number =>
  [...pan].reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);

type Mode = 'live' | 'sandbox';

async function enter(merchant_id: string, pan: string, mode: Mode = 'live'): Promise<number> {
  const request = await vault.sealedRequest({ merchant_id, mode, pan: { content: { pan } } });
  return (await vault.post('/ingest', request)).status;
}

async function enterNext(
  merchant_id: string,
  numbers: Generator<string>,
  times: number,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1)
    statuses.push(await enter(merchant_id, numbers.next().value));
  return statuses;
}

const command = (path: string, merchant_id: string, input: object = {}) =>
  vault.admin(path, { merchant_id, mode: 'live', ...input });
const later = (ms: number) => new Date(vault.clock.now + ms).toISOString();
const alarms = (merchant_id: string) =>
  vault.log
    .map((line) => JSON.parse(line))
    .filter((entry) => entry.event === 'limit_exceeded' && entry.merchant_id === merchant_id);
const auditOf = (merchant_id: string) =>
  vault.database.query(
    `select actor, verb, outcome from vault.audit where merchant_id = $1 and verb <> 'ingest' order by seq`,
    [merchant_id],
  );

test('a merchant without a limit of its own has 10,000 new cards a day', async () => {
  const { ok, sentences } = await command('/limit', 'merchant-default');
  expect([ok, sentences]).toEqual([true, ['New cards a day: 10000, the default.']]);
  await vault.database.query(
    `insert into vault.new_number_counts (merchant_id, mode, day, count)
     values ('merchant-default', 'live', $1, 9999)`,
    [Math.floor(vault.clock.now / DAY_MS)],
  );
  expect(await enterNext('merchant-default', differentNumbers(), 3)).toEqual([200, 429, 429]);
  expect(alarms('merchant-default')).toMatchObject([
    { verb: 'ingest', what: 'new_numbers', mode: 'live', level: 40 },
  ]);
});

describe('new cards beyond the limit of a merchant', () => {
  test('are refused for that merchant, mode and day, and raise one alarm', async () => {
    const merchant = 'merchant-limited';
    expect((await command('/limit', merchant, { new_numbers: 3 })).sentences).toEqual([
      'New cards a day: 3.',
    ]);
    const numbers = differentNumbers();
    const first = numbers.next().value;
    expect(await enter(merchant, first)).toBe(200);
    expect(await enterNext(merchant, numbers, 4)).toEqual([200, 200, 429, 429]);
    expect(alarms(merchant)).toMatchObject([{ what: 'new_numbers' }]);
    expect(await enter(merchant, first)).toBe(200);
    expect(await enter('merchant-other', numbers.next().value)).toBe(200);
    expect(await enter(merchant, numbers.next().value, 'sandbox')).toBe(200);
    await vault.restart();
    expect(await enter(merchant, numbers.next().value)).toBe(429);
    vault.clock.now += DAY_MS;
    expect(await enter(merchant, numbers.next().value)).toBe(200);
    expect(await auditOf(merchant)).toEqual([
      { actor: 'operator', verb: 'limit_new_numbers', outcome: '3' },
    ]);
    const { limited } = JSON.parse((await vault.get('/health')).text);
    expect(limited.ingest).toBeGreaterThan(0);
  });

  test('are tries: after 1,000 of them, known cards are refused too', async () => {
    const merchant = 'merchant-tried';
    await command('/limit', merchant, { new_numbers: 1 });
    const numbers = differentNumbers();
    const known = numbers.next().value;
    expect(await enter(merchant, known)).toBe(200);
    expect(await enterNext(merchant, numbers, 1)).toEqual([429]);
    await vault.database.query(
      `update vault.new_number_counts set count = $1 where merchant_id = $2`,
      [REFUSED_NUMBERS_MAX, merchant],
    );
    expect(await enter(merchant, known)).toBe(200);
    expect(await enterNext(merchant, numbers, 2)).toEqual([429, 429]);
    expect(await enter(merchant, known)).toBe(429);
    expect(alarms(merchant)).toMatchObject([{ what: 'new_numbers' }, { what: 'new_numbers' }]);
    await command('/import/open', merchant, { numbers: 5, until: later(DAY_MS) });
    expect(await enter(merchant, known)).toBe(200);
  });

  test('are counted at once: concurrent ones do not exceed it', async () => {
    const merchant = 'merchant-crowd';
    await command('/limit', merchant, { new_numbers: 5 });
    const numbers = differentNumbers();
    const statuses = await Promise.all(
      Array.from({ length: 9 }, () => enter(merchant, numbers.next().value)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  });

  test('return to the default', async () => {
    await command('/limit', 'merchant-back', { new_numbers: 1 });
    const { sentences } = await command('/limit', 'merchant-back', { new_numbers: 'default' });
    expect(sentences).toEqual(['New cards a day: 10000, the default.']);
  });

  test('stay limited if the new limit is no number', async () => {
    await command('/limit', 'merchant-typo', { new_numbers: 7 });
    const { ok } = await command('/limit', 'merchant-typo', { new_numbers: null });
    expect([ok, (await command('/limit', 'merchant-typo')).sentences]).toEqual([
      false,
      ['New cards a day: 7.'],
    ]);
  });
});

describe('an import', () => {
  test('takes as many cards of one issuer as an operator allowed, and the limits return', async () => {
    const merchant = 'merchant-import';
    await command('/limit', merchant, { new_numbers: ALIKE_MAX });
    const allowed = 2 * ALIKE_MAX;
    const until = later(DAY_MS);
    const opened = await command('/import/open', merchant, { numbers: allowed, until });
    expect(opened.sentences).toEqual([
      `The merchant may enter ${allowed} new cards until ${until}. The limits then return.`,
    ]);
    const numbers = alikeNumbers();
    expect(new Set(await enterNext(merchant, numbers, allowed))).toEqual(new Set([200]));
    const others = await enterNext(merchant, numbers, ALIKE_MAX + 2);
    expect(others.filter((status) => status === 200)).toHaveLength(ALIKE_MAX);
    expect(alarms(merchant)).toMatchObject([{ what: 'alike_numbers' }, { what: 'new_numbers' }]);
    expect(await auditOf(merchant)).toEqual([
      { actor: 'operator', verb: 'limit_new_numbers', outcome: `${ALIKE_MAX}` },
      { actor: 'operator', verb: 'open_import', outcome: `${allowed} until ${until}` },
    ]);
  });

  test('ends at its time', async () => {
    const merchant = 'merchant-late';
    await command('/limit', merchant, { new_numbers: 1 });
    await command('/import/open', merchant, { numbers: 100, until: later(MINUTE_MS) });
    const numbers = differentNumbers();
    expect(await enterNext(merchant, numbers, 3)).toEqual([200, 200, 200]);
    expect((await command('/limit', merchant)).sentences.at(-1)).toMatch(
      /^An import took 3 of 100/,
    );
    vault.clock.now += MINUTE_MS;
    expect(await enterNext(merchant, numbers, 2)).toEqual([200, 429]);
  });

  test('ends when an operator closes it', async () => {
    const merchant = 'merchant-closed';
    await command('/limit', merchant, { new_numbers: 1 });
    await command('/import/open', merchant, { numbers: 100, until: later(MINUTE_MS) });
    const numbers = differentNumbers();
    expect(await enterNext(merchant, numbers, 2)).toEqual([200, 200]);
    const closed = await command('/import/close', merchant);
    expect(closed.sentences).toEqual(['The import is closed after 2 new cards.']);
    expect(await enterNext(merchant, numbers, 2)).toEqual([200, 429]);
    expect((await command('/import/close', merchant)).ok).toBe(false);
    expect((await auditOf(merchant)).at(-1)).toEqual({
      actor: 'operator',
      verb: 'close_import',
      outcome: 'after 2',
    });
  });

  test('stays open until its closing is audited', async () => {
    const merchant = 'merchant-audited';
    await command('/import/open', merchant, { numbers: 100, until: later(MINUTE_MS) });
    const closing = await vault.database.whileLocked('vault.audit', async (countWaiting) => {
      const closed = command('/import/close', merchant);
      await expect.poll(countWaiting).toBe(1);
      expect((await command('/limit', merchant)).sentences.at(-1)).toMatch(/^An import took 0 of/);
      return { closed };
    });
    expect((await closing.closed).ok).toBe(true);
    expect((await command('/limit', merchant)).sentences).toHaveLength(1);
  });

  test('has no effect on another merchant or mode', async () => {
    await command('/import/open', 'merchant-mine', { numbers: 100, until: later(MINUTE_MS) });
    await command('/limit', 'merchant-theirs', { new_numbers: 1 });
    const numbers = differentNumbers();
    expect(await enterNext('merchant-theirs', numbers, 2)).toEqual([200, 429]);
  });

  test.each([
    [{ numbers: 0, until: '2026-11-22T00:00:00Z' }, 'numbers must be a whole number from 1'],
    [{ numbers: 5, until: 'tomorrow' }, 'until must be a time such as'],
    [{ numbers: 5, until: '2020-01-01T00:00:00Z' }, 'until must be a time such as'],
    [{ numbers: 5, until: '2027-06-01T00:00:00Z' }, 'at most 31 days ahead'],
  ])('with %j is refused', async (input, sentence) => {
    const { ok, sentences } = await command('/import/open', 'merchant-bad', input);
    expect([ok, sentences.join()]).toEqual([false, expect.stringContaining(sentence)]);
    expect(await auditOf('merchant-bad')).toEqual([]);
  });

  test('cannot be opened by the server', async () => {
    const body = { merchant_id: 'merchant-own', mode: 'live', numbers: 5, until: later(MINUTE_MS) };
    for (const path of ['/import/open', '/limit'])
      expect((await vault.post(path, body)).status).toBe(404);
  });
});
