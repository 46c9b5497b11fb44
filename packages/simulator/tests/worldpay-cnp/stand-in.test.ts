import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { numberOf } from '../client.ts';
import { hasSchemas, schemaErrors } from './schemas.ts';
import { followUpOf, MERCHANT, messageWith, paymentOf, queryOf, useCnp } from './stand-in.ts';

const cnp = useCnp();
afterEach(async () => {
  await cnp.control('DELETE', '/faults');
  await cnp.configure();
});

let count = 0;
const newId = (): string => `id-${++count}`;

async function pay(kind: 'sale' | 'authorization', options = {}) {
  const id = newId();
  const response = await cnp.send(paymentOf(kind, id, options));
  return { id, cnpTxnId: response.text('cnpTxnId') ?? '', response };
}

describe('a payment', () => {
  it.each(['sale', 'authorization'] as const)(
    'by %s is approved, with the checks',
    async (kind) => {
      const { id, response } = await pay(kind);
      expect(response.text('response')).toBe('000');
      expect(response.xml).toContain(`<${kind}Response id="${id}"`);
      expect(response.text('cardValidationResult')).toBe('M');
      expect(response.text('authCode')).toMatch(/^\w{6}$/);
    },
  );

  it.each([
    ['insufficient_funds', '110'],
    ['stolen_card', '214'],
    ['incorrect_cvc', '352'],
    ['generic_decline', '350'],
  ])('by the card %s is declined with %s', async (outcome, code) => {
    const card = sandboxCards.find((each) => each.outcome === outcome);
    const { response } = await pay('sale', { number: card?.number, type: '' });
    expect(response.text('response')).toBe(code);
  });

  it('is declined by a fault, whatever the card', async () => {
    const fault = { kind: 'decline', outcome: 'stolen_card' };
    expect((await cnp.control('POST', '/faults', fault)).status).toBe(204);
    expect((await pay('sale')).response.text('response')).toBe('214');
    expect((await pay('sale')).response.text('response')).toBe('000');
  });

  it('by a number of another network is declined', async () => {
    expect((await pay('sale', { type: 'MC' })).response.text('response')).toBe('302');
  });
});

describe('money', () => {
  it('is held, captured in part, and refunded by the capture’s id only', async () => {
    const { id, cnpTxnId } = await pay('authorization', { amount: 5_000 });
    const capture = await cnp.send(followUpOf('capture', newId(), cnpTxnId, 3_000));
    expect(capture.text('response')).toBe('000');
    const refund = (parent: string | undefined, amount: number) =>
      cnp.send(followUpOf('credit', newId(), parent, amount));
    expect((await refund(cnpTxnId, 1_000)).text('response')).toBe('360');
    expect((await refund(capture.text('cnpTxnId'), 3_001)).text('response')).toBe('365');
    expect((await refund(capture.text('cnpTxnId'), 1_000)).text('response')).toBe('000');
    expect(await cnp.paymentsOf(id)).toMatchObject([{ held: 0, captured: 3_000, refunded: 1_000 }]);
    const reversal = await cnp.send(followUpOf('authReversal', newId(), cnpTxnId));
    expect(reversal.text('response')).toBe('111');
  });

  it('of a sale is voided until its settlement', async () => {
    const { id, cnpTxnId } = await pay('sale');
    await cnp.configure({ settle_ms: 0 });
    await cnp.control('POST', '/clock', { advance_ms: 1 });
    const tooLate = await cnp.send(followUpOf('void', newId(), cnpTxnId));
    expect(tooLate.text('response')).toBe('362');
    await cnp.configure();
    const inTime = await cnp.send(followUpOf('void', newId(), cnpTxnId));
    expect(inTime.text('response')).toBe('000');
    expect(await cnp.paymentsOf(id)).toMatchObject([{ captured: 0 }]);
  });

  it('of a reversed hold is not captured', async () => {
    const { cnpTxnId } = await pay('authorization');
    const reversal = await cnp.send(followUpOf('authReversal', newId(), cnpTxnId));
    expect(reversal.text('response')).toBe('000');
    const capture = await cnp.send(followUpOf('capture', newId(), cnpTxnId, 1));
    expect(capture.text('response')).toBe('361');
  });
});

describe('a repeated message', () => {
  it('of a sale is a duplicate for two days, and of another card is none', async () => {
    const { id } = await pay('sale');
    const again = () => cnp.send(paymentOf('sale', id));
    expect((await again()).text('response')).toBe('251');
    const other = await cnp.send(
      paymentOf('sale', id, { number: numberOf('pan_test_mastercard'), type: 'MC' }),
    );
    expect(other.text('response')).not.toBe('251');
    await cnp.control('POST', '/clock', { advance_ms: 2 * 24 * 60 * 60_000 + 1 });
    expect((await again()).text('response')).toBe('000');
    expect(await cnp.paymentsOf(id)).toHaveLength(3);
  });

  it('of an authorisation holds the amount again', async () => {
    const { id } = await pay('authorization');
    await cnp.send(paymentOf('authorization', id));
    expect(await cnp.paymentsOf(id)).toHaveLength(2);
  });

  it('of a credit moves money once', async () => {
    const { id, cnpTxnId } = await pay('sale');
    const credit = followUpOf('credit', newId(), cnpTxnId, 100);
    expect((await cnp.send(credit)).text('response')).toBe('000');
    expect((await cnp.send(credit)).text('response')).toBe('251');
    expect(await cnp.paymentsOf(id)).toMatchObject([{ refunded: 100 }]);
  });
});

describe('a query', () => {
  it('finds responses by id, also of two transactions', async () => {
    const { id, cnpTxnId } = await pay('authorization');
    await cnp.send(followUpOf('authReversal', id, cnpTxnId));
    const found = await cnp.send(queryOf(id));
    expect([found.text('response'), found.text('matchCount')]).toEqual(['150', '2']);
    expect(found.xml).toContain('<authorizationResponse id=');
    expect(found.xml).toContain('<authReversalResponse id=');
    const one = await cnp.send(queryOf(id, '<origActionType>A</origActionType>'));
    expect(one.text('matchCount')).toBe('1');
  });

  it.each([
    ['151', {}, queryOf('unknown')],
    ['153', { has_queries: false }, queryOf('unknown')],
    ['154', {}, '<queryTransaction id="q" reportGroup="Shop"/>'],
  ])('is answered with %s', async (code, settings, query) => {
    await cnp.configure(settings);
    expect((await cnp.send(query)).text('response')).toBe(code);
  });

  it('finds no response before its time', async () => {
    await cnp.configure({ query_delay_ms: 60_000 });
    const { id } = await pay('sale');
    expect((await cnp.send(queryOf(id))).text('response')).toBe('152');
  });

  it('tells the outcome of a receipt later', async () => {
    await cnp.configure({ has_receipts: true, receipt_ms: 60_000 });
    const { cnpTxnId } = await pay('sale');
    const id = newId();
    const receipt = await cnp.send(followUpOf('credit', id, cnpTxnId, 100));
    expect(receipt.text('response')).toBe('001');
    expect((await cnp.send(queryOf(id))).xml).toContain('<response>001</response>');
    await cnp.control('POST', '/clock', { advance_ms: 60_000 });
    expect((await cnp.send(queryOf(id))).xml).toContain('<response>000</response>');
  });
});

describe('a message is refused', () => {
  const sale = paymentOf('sale', 'refused');
  const wrong: [string, string, string][] = [
    ['that is no XML', 'no xml', '2'],
    ['with a document type', `<!DOCTYPE a>${messageWith(sale).slice(21)}`, '2'],
    ['with a wrong password', messageWith(sale, { password: 'wrong' }), '3'],
    ['of an unknown merchant', messageWith(sale, { merchant: 'unknown' }), '3'],
    ['that is too long', messageWith(sale + ' '.repeat(20_000)), '5'],
    ['without a transaction', messageWith(''), '1'],
    ['with two', messageWith(sale + sale), '1'],
    [
      'in another order',
      messageWith(sale.replace(/(<orderId>.*?)(<amount>.*?<\/amount>)/, '$2$1')),
      '1',
    ],
    ['with an amount that is no number', messageWith(sale.replace('2499', '24.99')), '1'],
    ['without a card', messageWith(sale.replace(/<card>.*<\/card>/, '')), '1'],
    [
      'with an element that does not exist',
      messageWith(sale.replace('<card>', '<cvv/><card>')),
      '1',
    ],
    [
      'with too long an id',
      messageWith(sale.replace('id="refused"', `id="${'x'.repeat(37)}"`)),
      '1',
    ],
    ['with a wrong order source', messageWith(sale.replace('ecommerce', 'web')), '1'],
  ];
  it.each(wrong)('%s', async (_, xml, response) => {
    const text = await (await cnp.post(xml)).text();
    expect(/ response="(\d)"/.exec(text)?.[1]).toBe(response);
    expect(await cnp.paymentsOf('refused')).toEqual([]);
  });

  it.skipIf(!hasSchemas).each(wrong.filter(([, , response]) => response === '1'))(
    'as the official schema refuses it: %s',
    (_, xml) => {
      expect(schemaErrors(xml)).not.toEqual([]);
    },
  );

  it('with a refused login, until it is accepted again', async () => {
    await cnp.control('POST', '/refused-keys', { account: MERCHANT });
    expect(await (await cnp.post(messageWith(sale))).text()).toContain(' response="3"');
    await cnp.control('DELETE', '/refused-keys');
    expect((await pay('sale')).response.text('response')).toBe('000');
  });

  it('at another address or by another method', async () => {
    const get = await fetch((await cnp.post(messageWith(sale))).url);
    expect(get.status).toBe(405);
  });
});

describe('a fault', () => {
  it('is for a transaction, and loses its answer', async () => {
    await cnp.control('POST', '/faults', { kind: 'lose_answer', path: '/sale/' });
    const id = newId();
    await expect(cnp.send(paymentOf('sale', id))).rejects.toThrow();
    expect((await cnp.send(queryOf(id))).text('matchCount')).toBe('1');
  });

  it('is garbage that is no XML, though the sale is stored', async () => {
    const id = newId();
    await cnp.control('POST', '/faults', { kind: 'garbage', path: id });
    expect(await (await cnp.post(messageWith(paymentOf('sale', id)))).text()).not.toContain('<');
    expect(await cnp.paymentsOf(id)).toHaveLength(1);
  });
});
