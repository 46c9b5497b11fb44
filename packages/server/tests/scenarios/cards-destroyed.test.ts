import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeDemand, makeMethod, makeParties, settled } from '../support/make.ts';

const api = useApi();
let database: pg.Pool;
beforeAll(() => {
  database = new pg.Pool({ connectionString: api.stack.adminDatabaseUrl, max: 2 });
  database.on('error', () => {});
});
afterAll(() => database.end());

const SOON = { timeout: 15_000 };
const tokenOf = ({ attributes }: ResourceObject): string => attributes.card_pan_token;
const discard = (...methods: ResourceObject[]) =>
  database.query('update payment_methods set discarded_at = now() where id = any ($1)', [
    methods.map(({ id }) => id),
  ]);
const isKept = async (method: ResourceObject): Promise<boolean> =>
  (await database.query('select from vault.cards where token = $1', [tokenOf(method)])).rowCount ===
  1;
const noted = async (): Promise<number | null> =>
  (await database.query('select from discarded_cards')).rowCount;
const dueNow = () => database.query('update discarded_cards set due_at = now()');

/** Another payment method of the same card. */
const another = (method: ResourceObject): Promise<ResourceObject> =>
  api.client.make('payment_methods', {
    card_pan_token: tokenOf(method),
    expiry_month: 12,
    expiry_year: 2031,
  });

describe('the card of a payment method that is discarded', () => {
  it('is destroyed in the vault, and no other is', async () => {
    const [gone, other] = [await makeMethod(api.client), await makeMethod(api.client)];
    await discard(gone);
    await expect.poll(() => isKept(gone), SOON).toBe(false);
    await expect.poll(noted, SOON).toBe(0);
    expect(await isKept(other)).toBe(true);
  });

  it('stays while another payment method has it, and goes with the last', async () => {
    const first = await makeMethod(api.client);
    const second = await another(first);
    await discard(first);
    await expect.poll(noted, SOON).toBe(0);
    expect(await isKept(first)).toBe(true);
    await discard(second);
    await expect.poll(() => isKept(first), SOON).toBe(false);
  });

  it('goes where all of its payment methods are discarded at once', async () => {
    const first = await makeMethod(api.client);
    await discard(first, await another(first));
    await expect.poll(() => isKept(first), SOON).toBe(false);
    await expect.poll(noted, SOON).toBe(0);
  });

  it('is destroyed by the next server where the one that was told has died', async () => {
    const method = await makeMethod(api.client);
    await api.stack.stop('server');
    await discard(method);
    expect(await isKept(method)).toBe(true);
    await api.stack.start('server');
    await expect.poll(() => isKept(method), SOON).toBe(false);
  });

  it('is destroyed later where the vault is away', async () => {
    const method = await makeMethod(api.client);
    await api.stack.stop('vault');
    await discard(method);
    await expect
      .poll(
        async () =>
          (await database.query('select from discarded_cards where due_at > now()')).rowCount,
        SOON,
      )
      .toBe(1);
    await api.stack.start('vault');
    await dueNow();
    await expect.poll(() => isKept(method), SOON).toBe(false);
  });

  it('waits for a payment with it that is under way', async () => {
    const parties = await makeParties(api.client);
    const method = parties.payment_method as ResourceObject;
    // The simulated network answers this amount after seconds.
    const late = { amount_cents: 9_704, confirmed: true };
    const payment = await makeDemand(api.client, late, parties);
    await discard(method);
    expect((await settled(api.client, payment.id)).attributes.status).toBe('succeeded');
    await dueNow();
    await expect.poll(() => isKept(method), SOON).toBe(false);
  });
});
