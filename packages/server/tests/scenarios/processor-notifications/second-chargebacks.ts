import { beforeAll, describe, expect, it } from 'vitest';
import { type NotifyingStack, notified_at } from '../../support/notifying-stack.ts';
import { listBrokenRules } from '../../support/reports.ts';

/** Disputes whose money the processor takes again. */
export function describeSecondChargebacks(florin: NotifyingStack): void {
  describe('a second chargeback', () => {
    type Step = 'opened' | 'won' | 'charged_back' | 'lost' | 'won_again';
    const steps = {
      opened: { status: 'open' },
      won: { status: 'won' },
      lost: { status: 'lost' },
      charged_back: { status: 'lost', is_second_round: true },
      won_again: { status: 'won', is_second_round: true },
    } as const satisfies Record<Step, object>;
    let payment: { id: string; attempt_id: string };
    let count = 0;
    beforeAll(async () => {
      payment = await florin.pay();
    });

    /** Notifies steps of a new dispute, in order. Returns it with the states of the notifications. */
    async function notifySteps(order: readonly Step[]) {
      const reference = `dsp-${++count}-${payment.id}`;
      const { amount_currency: currency } = (
        await florin.client.fetch('payment_demands', payment.id)
      ).attributes;
      const states: unknown[] = [];
      for (const [index, step] of order.entries()) {
        const { status } = await florin.apply({
          kind: 'dispute',
          key: `${index} ${step} ${reference}`,
          at: notified_at,
          processor_reference: `psp-${payment.attempt_id}`,
          dispute: { reference, reason: 'fraudulent', amount: 100, currency, ...steps[step] },
        });
        states.push(status);
      }
      const [dispute] = await florin.db.query('select * from disputes where reference = $1', [
        reference,
      ]);
      const transfers = await florin.db.query(
        'select kind from ledger_transfers where source_id = $1 order by kind',
        [dispute?.id],
      );
      return { states, dispute, kinds: transfers.map(({ kind }) => kind) };
    }

    it.each<readonly Step[]>([
      ['opened', 'won', 'charged_back'],
      ['opened', 'charged_back', 'won'],
      ['won', 'charged_back', 'opened'],
      ['charged_back', 'opened', 'won'],
      ['charged_back', 'won', 'opened', 'charged_back'],
    ])('notified as %s, %s, %s takes the money once more', async (...order) => {
      const before = (await florin.client.fetch('payment_demands', payment.id)).attributes;
      const { states, dispute, kinds } = await notifySteps(order);
      expect(new Set(states)).toEqual(new Set(['applied']));
      expect(dispute).toMatchObject({ status: 'lost', second_chargeback_at: dispute?.closed_at });
      expect(kinds).toEqual(['dispute_opened', 'dispute_won', 'second_chargeback']);
      const after = (await florin.client.fetch('payment_demands', payment.id)).attributes;
      expect(before.amount_refundable_cents - after.amount_refundable_cents).toBe(100);
      const { body } = await florin.client.get('/v2/events?filter[slug]=lost&page[size]=1');
      expect(body.data[0].attributes.resource_id).toBe(dispute?.id);
      expect(await listBrokenRules(florin)).toEqual([]);
    });

    it('that the merchant wins leaves the dispute won', async () => {
      const { states, dispute, kinds } = await notifySteps(['opened', 'won', 'won_again']);
      expect(states).toEqual(['applied', 'applied', 'applied']);
      expect(dispute).toMatchObject({ status: 'won', second_chargeback_at: null });
      expect(kinds).toEqual(['dispute_opened', 'dispute_won']);
    });

    it.each<readonly Step[]>([
      ['won', 'lost'],
      ['lost', 'won'],
      ['charged_back', 'won_again'],
    ])('does not explain %s, then %s: an operator decides', async (...order) => {
      expect((await notifySteps(order)).states).toEqual(['applied', 'conflict']);
    });

    it('that is notified after the merchant has won it takes no money: an operator decides', async () => {
      const order: readonly Step[] = ['opened', 'won', 'won_again', 'charged_back'];
      const { states, dispute, kinds } = await notifySteps(order);
      expect(states.at(-1)).toBe('conflict');
      expect(dispute).toMatchObject({ status: 'won', second_chargeback_at: null });
      expect(kinds).toEqual(['dispute_opened', 'dispute_won']);
    });
  });
}
