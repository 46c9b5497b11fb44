import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createPaymentRequest,
  createStandInClient,
  errorOf,
  type StandInClient,
  useSimulator,
} from './stand-in.ts';

const simulator = useSimulator();
let client: StandInClient;
beforeAll(async () => {
  client = await createStandInClient(simulator.url);
});
afterEach(() => client.control('DELETE', '/faults'));

const fail = (fault: object) => client.control('POST', '/faults', fault);
const pay = async (changes?: Parameters<typeof createPaymentRequest>[0], key?: string) =>
  (await client.sdk.payments.request(createPaymentRequest(changes), key)) as { id: string };
const listed = async (reference: string) =>
  (await client.sdk.payments.getPaymentList({ reference })).data as { id: string }[];

describe('the official SDK', () => {
  it.each(['lose_answer', 'reset'])(
    'fails without an answer (%s), and the list tells whether the payment exists',
    async (kind) => {
      await fail({ kind });
      const error = await errorOf(pay({ reference: kind }, kind));
      expect(error.http_code).toBeUndefined();
      const stored = await listed(kind);
      expect(stored).toHaveLength(kind === 'lose_answer' ? 1 : 0);
      const repeated = await pay({ reference: kind }, kind);
      expect((await listed(kind)).map(({ id }) => id)).toEqual([repeated.id]);
    },
  );

  it.each([
    [502, 'Bad gateway'],
    [429, 'TooManyRequestsError'],
  ])('throws its own error for %i', async (status, name) => {
    await fail({ kind: status === 429 ? 'refuse' : 'fail_after', status });
    const error = await errorOf(pay({ reference: name }));
    expect([error.http_code, error.name]).toEqual([status, name]);
    expect(await listed(name)).toHaveLength(status === 429 ? 0 : 1);
  });

  it('cannot read a body that is cut, though the capture is stored', async () => {
    const { id } = await pay();
    await fail({ kind: 'cut_answer', path: '/captures' });
    await errorOf(client.sdk.payments.capture(id, { reference: 'cut' }));
    const [capture] = await client.sdk.payments.getActions(id);
    expect(capture).toMatchObject({ type: 'Capture', reference: 'cut' });
  });

  it('gets receipts of captures that never happen', async () => {
    const { id } = await pay();
    await fail({ kind: 'without_effect', path: '/captures' });
    const receipt = await client.sdk.payments.capture(id, {}, 'vanished');
    expect(receipt.action_id).toMatch(/^act_/);
    expect(await client.sdk.payments.getActions(id)).toHaveLength(1);
    const again = await client.sdk.payments.capture(id, {}, 'vanished');
    expect(again.action_id).not.toBe(receipt.action_id);
    expect(await client.sdk.payments.getActions(id)).toHaveLength(2);
  });
});
