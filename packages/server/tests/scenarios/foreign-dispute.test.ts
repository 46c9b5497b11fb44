import { randomUUID } from 'node:crypto';
import { sandboxCardByToken } from '@florin/contract/card/sandbox-cards.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import {
  DISPUTED_CENTS,
  disputeOf,
  eventually,
  makeDemand,
  makeDispute,
  makeParties,
} from '../support/make.ts';

const clock = clockAhead();
const api = useOwnStack({ config: { clock }, now: () => new Date(clock.now() / 1000) });

/** An authorisation at the network that Florin does not know, disputed immediately. */
async function disputeElsewhere(reference: string): Promise<void> {
  const card = {
    number: sandboxCardByToken('pan_test_visa')?.number,
    expiry_month: '12',
    expiry_year: '2031',
  };
  const message = { reference, amount: DISPUTED_CENTS, currency: 'USD', capture: true, card };
  const { status } = await fetch(api.stack.simulatorUrl + networkPaths.authorisations, {
    method: 'POST',
    body: JSON.stringify(message),
  });
  expect(status).toBe(200);
}

const statusOf = async (id: string) =>
  (await api.client.fetch('payment_demands', id)).attributes.status;

it('a dispute of an unknown payment does not block later ones', async () => {
  await disputeElsewhere(randomUUID());
  await disputeElsewhere('somebody-elses-order-7');
  const { attributes } = await makeDispute(api.client);
  expect(attributes.status).toBe('needs_response');
  expect((await api.client.get('/v2/disputes')).body.data).toHaveLength(1);
});

it('a dispute of a payment without a response waits for the outcome, and does not block later ones', async () => {
  const lost = {
    confirmed: true,
    amount_cents: DISPUTED_CENTS,
    metadata: { simulate: 'late_approval' },
  };
  const { id } = await makeDemand(api.client, lost, await makeParties(api.client));
  await eventually(
    () => api.client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
  await makeDispute(api.client);
  expect(await statusOf(id)).toBe('processing');
  clock.advance(75);
  expect((await disputeOf(api.client, id)).attributes.amount_cents).toBe(DISPUTED_CENTS);
  expect(await statusOf(id)).toBe('disputed');
  expect(
    await api.books.db.query('select * from waiting_disputes where problem is null', []),
  ).toEqual([]);
});
