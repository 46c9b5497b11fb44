import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { makeVelocityLimit } from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
} from '../support/resource-suite.ts';

const api = useApi();
const type = 'velocity_limits';
const make = () => makeVelocityLimit(api.client);
const validAttributes = { kind: 'card_declines', window_seconds: 3600, max_count: 5 };

describe('a velocity limit', () => {
  describeReads(api, type, make);
  describeRefusedMethods(api, type);

  it.each([
    { kind: 'card_declines', amount_currency: null },
    { kind: 'card_amount', amount_currency: 'USD' },
    { kind: 'payer_cards', amount_currency: null },
    { kind: 'merchant_declines', amount_currency: null },
  ])('stores its attributes: $kind', async (newAttributes) => {
    const { attributes, id } = await makeVelocityLimit(api.client, newAttributes);
    expect(attributes).toMatchObject({ ...newAttributes, window_seconds: 60, removed_at: null });
    const answer = await api.client.send('PATCH', `/v2/${type}/${id}/remove`);
    expect(answer.body.data.attributes.removed_at).not.toBeNull();
  });

  describeRefusals(api, { type, validAttributes, make }, [
    ['another kind', { kind: 'cheques' }, 'not_in_list'],
    ['a window below a minute', { window_seconds: 59 }, 'too_small'],
    ['a window of more than a day', { window_seconds: 86_401 }, 'too_large'],
    ['a maximum of zero', { max_count: 0 }, 'too_small'],
    ['no maximum', { max_count: undefined }, 'blank'],
    ['half a decline', { max_count: 1.5 }, 'invalid'],
    ['amounts of no currency', { kind: 'card_amount' }, 'blank', 'amount_currency'],
    ['a currency of declines', { amount_currency: 'USD' }, 'invalid'],
  ]);
});
