import { withClient } from '@florin/cli/database/client.ts';
import { expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { callPay, mountForm, sealCard } from '../support/form.ts';
import { makeDemand, makeMethod } from '../support/make.ts';

const api = useApi();

/** The vault forgets after an hour what nobody has said is kept. */
const forgottenSoon = () =>
  withClient(api.stack.vaultDatabaseUrl, async (client) => {
    const { rows } = await client.query('select token from vault.cards where attached_at is null');
    return rows;
  });

it('has the vault keep the card of a payment method that a server makes', async () => {
  await makeMethod(api.client);
  expect(await forgottenSoon()).toEqual([]);
});

it('has the vault keep the card of a payment method that a form makes', async () => {
  const { id } = await makeDemand(api.client, {}, {});
  const key = api.stack.credentials.sandbox.publishable_key;
  const form = await mountForm(api.stack, id, key);
  await callPay(api.stack, form.verify_url, await sealCard(form));
  expect(await forgottenSoon()).toEqual([]);
});
