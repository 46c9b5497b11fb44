import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSignIn, TRIES_MAX } from '../../src/features/accounts/sign-in.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { useApi } from '../support/api.ts';

const api = useApi();
let account: { email: string; password: string };
beforeAll(() => {
  const { email, password } = api.stack.credentials.account;
  account = { email, password: password as string };
});

const signIn = (email: string, password: string) =>
  fetch(`${api.stack.baseUrl}/session`, {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    redirect: 'manual',
  });

const sessionOf = (answer: Response): string =>
  (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] as string;

const openAccount = async (cookie: string): Promise<number> =>
  (await fetch(`${api.stack.baseUrl}/account`, { headers: { cookie }, redirect: 'manual' })).status;

describe('signing in', () => {
  it('takes the address in any case', async () => {
    const answer = await signIn(account.email.toUpperCase(), account.password);
    expect(answer.headers.get('location')).toBe('/account');
    expect(await openAccount(sessionOf(answer))).toBe(200);
  });

  it('shows which keys still work', async () => {
    const session = sessionOf(await signIn(account.email, account.password));
    for (const name of ['Kept', 'Lost']) {
      await api.client.make('merchant_tokens', { name, context: 'secret' });
    }
    const { body } = await api.client.get('/v2/merchant_tokens?filter[name]=Lost');
    await api.client.send('PATCH', `/v2/merchant_tokens/${body.data[0].id}/revoke`);
    const page = await fetch(`${api.stack.baseUrl}/account`, { headers: { cookie: session } });
    const rows = (await page.text()).split('<tr>');
    expect(rows.find((row) => row.includes('Kept'))).toContain('<td>Works</td>');
    expect(rows.find((row) => row.includes('Lost'))).toContain('<td>Ended ');
  });

  it('has one account per address, whatever its case', async () => {
    const twin = api.books.db.query(
      `insert into accounts (id, email, password_hash, created_at, updated_at)
       select gen_random_uuid(), upper(email), password_hash, now(), now() from accounts limit 1`,
      [],
    );
    await expect(twin).rejects.toMatchObject({ code: '23505' });
  });

  it('ends for an account that is no longer active, sessions that are open included', async () => {
    const session = sessionOf(await signIn(account.email, account.password));
    await api.books.db.query(`update accounts set account_status = 'banned'`, []);
    expect(await openAccount(session)).toBe(303);
    expect((await signIn(account.email, account.password)).status).toBe(401);
    await api.books.db.query(`update accounts set account_status = 'active'`, []);
    expect(await openAccount(session)).toBe(200);
  });

  it('counts guesses that are sent at once', async () => {
    const here = { db: api.books.db, clock: systemClock(), key: randomBytes(32) };
    const guessing = createSignIn(here);
    const guesses = Array.from({ length: TRIES_MAX }, () =>
      guessing.open(account.email, 'a guess'),
    );
    // None of the guesses is answered yet.
    expect(await guessing.open(account.email, account.password)).toBeUndefined();
    expect(await Promise.all(guesses)).toEqual(guesses.map(() => undefined));
    expect(await createSignIn(here).open(account.email, account.password)).toBeDefined();
  });

  it('forgets the guesses of an address once its right password came', async () => {
    for (let tries = 1; tries <= 2 * TRIES_MAX; tries++) {
      const right = tries % (TRIES_MAX / 2) === 0;
      const answer = await signIn(account.email, right ? account.password : 'a guess');
      expect(answer.status).toBe(right ? 303 : 401);
    }
  });
});
