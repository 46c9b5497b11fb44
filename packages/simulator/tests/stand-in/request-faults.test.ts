import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createPaymentRequest,
  createStandInClient,
  type StandInClient,
  useSimulator,
} from '../checkout-com/stand-in.ts';

const simulator = useSimulator();
let client: StandInClient;
beforeAll(async () => {
  client = await createStandInClient(simulator.url);
});
afterEach(() => client.control('DELETE', '/faults'));

const addFault = async (fault: object): Promise<void> => {
  const response = await client.control('POST', '/faults', fault);
  expect([response.status, await response.text()]).toEqual([204, '']);
};
const pay = (reference: string) =>
  client.send('POST', '/payments', createPaymentRequest({ reference }));
interface PaymentBody {
  readonly response_code: string;
}

/** Payments of a reference that the books have. */
const countOf = async (reference: string): Promise<number> =>
  (await client.sdk.payments.getPaymentList({ reference })).total_count;

describe('a fault of a request', () => {
  it.each(['lose_answer', 'cut_answer', 'garbage'])(
    '%s has an effect without a readable response',
    async (kind) => {
      await addFault({ kind });
      await expect(pay(kind).then((response) => response.json())).rejects.toThrow();
      expect(await countOf(kind)).toBe(1);
    },
  );

  it('fail_after has an effect, and a page with the status of the fault', async () => {
    await addFault({ kind: 'fail_after', status: 504 });
    expect((await pay('fail_after')).status).toBe(504);
    expect(await countOf('fail_after')).toBe(1);
  });

  it('reset and refuse have no effect', async () => {
    await addFault({ kind: 'reset' });
    await expect(pay('none')).rejects.toThrow();
    await addFault({ kind: 'refuse', status: 500 });
    expect((await pay('none')).status).toBe(500);
    expect(await countOf('none')).toBe(0);
  });

  it('late_answer has an effect before its response', async () => {
    await addFault({ kind: 'late_answer', delay_ms: 600_000 });
    const caller = new AbortController();
    const answer = fetch(`${client.url}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.secretKey}` },
      body: JSON.stringify(createPaymentRequest({ reference: 'late' })),
      signal: caller.signal,
    });
    while ((await countOf('late')) === 0);
    caller.abort();
    await expect(answer).rejects.toThrow('aborted');
  });

  it('refuse with a status below 500 has an empty body', async () => {
    await addFault({ kind: 'refuse', status: 429 });
    const response = await pay('limited');
    expect([response.status, await response.text()]).toEqual([429, '']);
  });

  it('without_effect has a response as usual, and no effect', async () => {
    await addFault({ kind: 'without_effect' });
    const payment = await (await pay('receipt')).json();
    expect(payment).toMatchObject({ approved: true, status: 'Authorized' });
    expect(await countOf('receipt')).toBe(0);
    expect((await pay('receipt')).status).toBe(201);
    expect(await countOf('receipt')).toBe(1);
  });

  it('decline has its reason, and only where the path ends', async () => {
    const decline = { kind: 'decline', outcome: 'insufficient_funds', method: 'POST' };
    await addFault({ ...decline, path: '/payments$' });
    await addFault({ ...decline, path: '/captures$' });
    const codes: unknown[] = [];
    for (const reference of ['declined', 'approved'])
      codes.push(((await (await pay(reference)).json()) as PaymentBody).response_code);
    expect(codes).toEqual(['20051', '10000']);
  });

  it('ends after its time', async () => {
    await addFault({ kind: 'refuse', for_ms: 0 });
    expect((await pay('late')).status).toBe(201);
  });

  it('applies to requests that fit, as often as asked', async () => {
    await addFault({ kind: 'refuse', method: 'POST', path: '/pay', reference: 'a', times: 2 });
    await addFault({ kind: 'delay', delay_ms: 1 });
    const statuses: number[] = [];
    for (const reference of ['b', 'a', 'a', 'a']) statuses.push((await pay(reference)).status);
    expect(statuses).toEqual([201, 502, 502, 201]);
  });

  it.each([
    [{}, 'kind'],
    [{ kind: 'delay', delay_ms: -1 }, 'delay_ms'],
    [{ kind: 'refuse', status: 200 }, 'status'],
    [{ kind: 'reset', times: 0 }, 'times'],
    [{ kind: 'reset', for_ms: -1 }, 'for_ms'],
    [{ kind: 'decline', outcome: 'approved' }, 'decline'],
  ])('with a wrong member is refused %#', async (fault, name) => {
    const response = await client.control('POST', '/faults', fault);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toContain(name);
  });
});
