import { randomUUID } from 'node:crypto';
import { sandboxCardByToken } from '@florin/contract/card/sandbox-cards.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { DISPUTED_CENTS, makeDispute } from '../support/make.ts';

const api = useApi();

/** An authorisation at the network that Florin knows nothing of, which is disputed at once. */
async function disputeElsewhere(): Promise<void> {
  const card = {
    number: sandboxCardByToken('pan_test_visa')?.number,
    expiry_month: '12',
    expiry_year: '2031',
  };
  const message = {
    reference: randomUUID(),
    amount: DISPUTED_CENTS,
    currency: 'USD',
    capture: true,
    card,
  };
  const { status } = await fetch(api.stack.simulatorUrl + networkPaths.authorisations, {
    method: 'POST',
    body: JSON.stringify(message),
  });
  expect(status).toBe(200);
}

it('a dispute of what Florin did not approve keeps no later one waiting', async () => {
  await disputeElsewhere();
  const { attributes } = await makeDispute(api.client);
  expect(attributes.status).toBe('needs_response');
  expect((await api.client.get('/v2/disputes')).body.data).toHaveLength(1);
});
