import { randomUUID } from 'node:crypto';
import { withClient } from '@florin/cli/database/client.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { expect, it } from 'vitest';
import { browser } from '../support/bank.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { makeCardless, makeMethod } from '../support/make.ts';
import { createGate } from '../support/slow-network.ts';
import { intent, useBank, verify } from '../support/threeds.ts';

const bank = useBank();

/** Number of unattached cards, which the vault deletes after an hour. */
const forgottenSoon = () =>
  withClient(bank.network.adminDatabaseUrl, async (client) => {
    const { rowCount } = await client.query('select from vault.cards where attached_at is null');
    return rowCount;
  });

it('the vault keeps the card of a payment method that a server creates', async () => {
  await makeMethod(bank.stand.client);
  expect(await forgottenSoon()).toBe(0);
});

it('the vault keeps the card of a payment method that a form creates', async () => {
  const { id } = await makeCardless(bank.stand.client);
  const { answer } = await verify(bank.stand, bank.amount('frictionless'), 'visa', id);
  expect(answer.result).toBe('verified');
  expect(await forgottenSoon()).toBe(0);
});

it('an abandoned card without a bank response expires in the vault', async () => {
  const { place, client, publishable } = bank.stand;
  const form = await mountForm(
    place,
    await intent(client, bank.amount('frictionless')),
    publishable,
  );
  const attempt = randomUUID();
  const body = { ...(await sealCard(form)), browser, attempt };
  const gate = createGate();
  const { onMessage } = bank.network;
  bank.network.onMessage = ({ path }) =>
    path === networkPaths.authentications ? gate.pass() : Promise.resolve();
  const verifying = callPay(place, '/frame/v1/verify', body);
  await gate.reached;
  await callPay(place, '/frame/v1/abandon', { session: form.session, attempt });
  gate.open();
  expect(answerOf(await verifying).detail.code).toBe('abandoned');
  bank.network.onMessage = onMessage;
  expect(await forgottenSoon()).toBe(1);
});
