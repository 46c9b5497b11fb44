import { describe, expect, it } from 'vitest';
import type { AccountsStack } from '../../support/accounts-stack.ts';
import { documentOf } from '../../support/client.ts';
import { eventually, makeAuthorisedPayment, makeRefund } from '../../support/make.ts';

/** Accounts that an operator removes. */
export function describeAccountRemoval(florin: AccountsStack): void {
  describe('an account that is removed', () => {
    it('is named by the refusal of a rule that still has it', async () => {
      const id = await florin.createAccount('Euros', florin.networks.eu);
      expect((await florin.act(id, 'remove')).status).toBe(204);
      const { status, body } = await florin.setRules([{ name: 'Eurozone', accounts: [id] }]);
      expect([status, body.errors[0].detail]).toEqual([
        422,
        `Rule "Eurozone" names Euros (${id}), which is removed. Take it out of rules[0].accounts.`,
      ]);
    });

    it('must be paused first, so that no server gives it payments', async () => {
      const id = await florin.connect('Busy', florin.networks.eu);
      const { status, body } = await florin.removeForGood(id);
      expect([status, body.errors[0].detail]).toEqual([
        405,
        'The account is enabled. Pause it first, so that it takes no more payments, and remove it then.',
      ]);
      expect(await florin.statusOf(id)).toBe('enabled');
    });

    it('must have no payment on hold: it could be neither captured nor voided', async () => {
      const id = await florin.connect('Holding', florin.networks.eu);
      const payment = await makeAuthorisedPayment(florin.client);
      await florin.act(id, 'pause');
      const { status, body } = await florin.removeForGood(id);
      expect([status, body.errors[0].detail]).toEqual([
        405,
        'The account still has 1 payment on hold. Capture or void the payments on hold, wait for the outcomes, and remove it then.',
      ]);
      expect(await florin.statusOf(id)).toBe('paused');
      const { obligations } = (await florin.operator.get(`/processor_accounts/${id}`)).body.data;
      expect(obligations).toMatchObject({ holds: 1, open_outcomes: 0, refundable: 0 });
      expect((await florin.voidPayment(payment.id)).attributes.status).toBe('canceled');
      expect((await florin.act(id, 'remove')).status).toBe(204);
    });

    it('gives up refunds only where the operator says so', async () => {
      const id = await florin.connect('Refundable', florin.networks.eu);
      const payment = await florin.pay({});
      const other = await florin.pay({});
      await florin.act(id, 'pause');
      const { status, body } = await florin.act(id, 'remove');
      expect([status, body.errors[0].detail]).toEqual([
        405,
        'The account has 2 refundable or disputed payments. Keep it paused, or send give_up_refunds: true: refunds are then refused, and an operator closes open disputes by hand.',
      ]);
      const setPayment = (status: string, refundable: number) =>
        florin.db.query(
          'update payment_demands set status = $2, amount_refundable_cents = $3 where id = $1',
          [payment.id, status, refundable],
        );
      const { amount_refundable_cents } = (await florin.client.fetch('payment_demands', payment.id))
        .attributes;
      await setPayment('disputed', 0);
      expect((await florin.act(id, 'remove')).status).toBe(405);
      await setPayment('succeeded', amount_refundable_cents);
      await makeRefund(florin.client, await florin.client.fetch('payment_demands', payment.id));
      await eventually(
        async () => (await florin.operator.get(`/processor_accounts/${id}`)).body.data.obligations,
        ({ refundable, open_outcomes, pending_follow_ups }) =>
          refundable === 1 && open_outcomes + pending_follow_ups === 0,
      );
      expect((await florin.removeForGood(id)).status).toBe(204);
      const { included } = (
        await florin.client.get(
          `/v2/payment_demands/${other.id}?include=payment_attempts.processor_detail`,
        )
      ).body;
      const record = included?.find(({ type }) => type === 'processor_details');
      expect(record?.attributes.removed_at).toEqual(expect.any(String));
      const payment_demand = { type: 'payment_demands', id: other.id };
      const refund = documentOf(
        'refund_demands',
        { reason: 'customer_canceled' },
        { payment_demand },
      );
      expect(await florin.client.send('POST', '/v2/refund_demands', refund)).toMatchObject({
        status: 422,
        body: {
          errors: [
            {
              code: 'no_refundable_authorization',
              detail:
                "The processor account Refundable, which took the payment, is removed. Refund it in the processor's dashboard, or ask the operator.",
            },
          ],
        },
      });
    });
  });
}
