import { describe, expect, it } from 'vitest';
import { type AccountsStack, LOST_ANSWER_CENTS } from '../../support/accounts-stack.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeDemand,
  makeLink,
  makeParties,
  makeRefund,
  makeSubscription,
  waitForOutcome,
} from '../../support/make.ts';

/** The network approves a hold of this amount, and declines its capture. */
const DECLINED_CAPTURE_CENTS = 19_707;

/** Payments through two accounts, and through one that captures by a second message. */
export function describeAccountPayments(florin: AccountsStack): void {
  describe('two accounts', () => {
    const rulesFor = (eu: string, us: string) => [
      { name: 'Euros', conditions: { currencies: ['EUR'] }, accounts: [eu] },
      { name: 'Dollars', conditions: { currencies: ['USD'] }, accounts: [us] },
    ];

    it('take the payments that the rules give them, and the preview says so', async () => {
      const [eu, us] = [
        await florin.connect('EU', florin.networks.eu),
        await florin.connect('US', florin.networks.us),
      ];
      expect((await florin.setRules(rulesFor(eu, us))).status).toBe(204);
      const before = [
        await florin.countApproved(florin.networks.eu),
        await florin.countApproved(florin.networks.us),
      ];
      expect((await florin.pay({ amount_currency: 'USD' })).status).toBe('succeeded');
      expect([
        await florin.countApproved(florin.networks.eu),
        await florin.countApproved(florin.networks.us),
      ]).toEqual([before[0], (before[1] as number) + 1]);
      const [merchant] = await florin.db.query('select id from merchants limit 1', []);
      const preview = await florin.operator.send('POST', '/routing/sandbox/preview', {
        merchant_id: merchant?.id,
        amount: 100,
        currency: 'EUR',
      });
      expect(preview.body.data).toEqual({
        rule: 'Euros',
        candidates: [eu],
        fallback: 'not_sent',
        refused: [],
      });
    });

    it('keep their payments: a paused account still captures and refunds', async () => {
      const eu = await florin.connect('EU', florin.networks.eu);
      const payment = await makeAuthorisedPayment(florin.client);
      await florin.act(eu, 'pause');
      await florin.connect('US', florin.networks.us);
      const refundedBefore = await florin.countApproved(florin.networks.us);
      await makeCapture(florin.client, payment);
      expect((await waitForOutcome(florin.client, payment.id)).attributes.status).toBe('succeeded');
      const refund = await makeRefund(florin.client, payment);
      const settled = await eventually(
        () => florin.client.fetch('refund_demands', refund.id),
        ({ attributes }) => !['pending', 'processing'].includes(attributes.status),
      );
      expect(settled.attributes.status).toBe('succeeded');
      expect(await florin.countApproved(florin.networks.us)).toBe(refundedBefore);
      expect((await florin.attemptOf(payment.id))?.processor_account_id).toBe(eu);
    });

    it('are asked about their own payments, and stay until the outcomes are known', async () => {
      const eu = await florin.connect('EU', florin.networks.eu);
      const { id } = await makeDemand(
        florin.client,
        { confirmed: true, amount_cents: LOST_ANSWER_CENTS },
        await makeParties(florin.client),
      );
      await eventually(
        () => florin.client.fetch('payment_demands', id),
        ({ meta }) => meta?.outcome === 'unknown',
      );
      await florin.act(eu, 'pause');
      const { status, body } = await florin.act(eu, 'remove');
      expect([status, body.errors[0].detail]).toEqual([
        405,
        'The account still has 1 open outcome. Capture or void the payments on hold, wait for the outcomes, and remove it then.',
      ]);
      expect((await waitForOutcome(florin.client, id)).attributes.status).toBe('succeeded');
      expect((await florin.removeForGood(eu)).status).toBe(204);
    });

    it('that cannot take a currency are no candidates, and nothing is stored', async () => {
      await florin.connect('Only euros', florin.networks.eu, { currencies: ['EUR'] });
      const parties = await makeParties(florin.client);
      await expect(
        makeDemand(florin.client, { confirmed: true, amount_currency: 'USD' }, parties),
      ).rejects.toThrow(/no_processor.*the currency is not taken \(currency\).*another currency/);
      await expect(
        makeSubscription(florin.client, { confirmed: true, amount_currency: 'USD' }, parties),
      ).rejects.toThrow(/no_processor/);
      await expect(makeLink(florin.client, { amount_currency: 'USD' })).rejects.toThrow(
        /no_processor/,
      );
      await makeLink(florin.client, { amount_currency: 'EUR' });
      const stored = await florin.db.query(
        `select (select count(*) from payment_demands where amount_currency = 'USD' and status = 'pending') as payments,
         (select count(*) from payment_subscriptions) as subscriptions`,
        [],
      );
      expect(stored).toEqual([{ payments: '0', subscriptions: '0' }]);
    });
  });

  describe('a processor that captures by a second message', () => {
    const capturesOf = (payment_demand_id: string) =>
      florin.db.query(
        'select status, amount_cents from capture_demands where payment_demand_id = $1',
        [payment_demand_id],
      );

    it.each([
      ['is approved', 2_499],
      ['loses its response, and an inquiry finds the approval', LOST_ANSWER_CENTS],
    ])('captures a payment that %s, once', async (_, amount_cents) => {
      await florin.connect('Two steps', florin.networks.eu, { processor: 'two_step' });
      const { id, status } = await florin.pay({ amount_cents });
      expect(status).toBe('succeeded');
      expect(await capturesOf(id)).toEqual([
        { status: 'succeeded', amount_cents: String(amount_cents) },
      ]);
      const { attributes } = await florin.client.fetch('payment_demands', id);
      expect(attributes.amount_captured_cents).toBe(amount_cents);
      const events = (
        await florin.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`)
      ).body;
      const slugs = events.data.map(
        ({ attributes }: { attributes: { slug: string } }) => attributes.slug,
      );
      expect(slugs).toEqual(['created', 'updated', 'succeeded']);
    });

    it('leaves a hold to the merchant if the capture is declined', async () => {
      await florin.connect('Two steps', florin.networks.eu, { processor: 'two_step' });
      const attributes = { confirmed: true, amount_cents: DECLINED_CAPTURE_CENTS };
      const { id } = await makeDemand(florin.client, attributes, await makeParties(florin.client));
      await eventually(
        () => florin.client.fetch('payment_demands', id),
        (payment) => payment.attributes.status === 'authorised',
      );
      expect(await capturesOf(id)).toEqual([
        { status: 'failed', amount_cents: String(DECLINED_CAPTURE_CENTS) },
      ]);
      await florin.voidPayment(id);
    });

    it('leaves the hold of a manual payment alone', async () => {
      await florin.connect('Two steps', florin.networks.eu, { processor: 'two_step' });
      const payment = await makeAuthorisedPayment(florin.client);
      expect(await capturesOf(payment.id)).toEqual([]);
      await florin.voidPayment(payment.id);
    });
  });
}
