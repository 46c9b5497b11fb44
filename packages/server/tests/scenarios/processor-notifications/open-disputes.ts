import { beforeAll, describe, expect, it } from 'vitest';
import { runDisputeCommand } from '../../../src/features/disputes/commands.ts';
import type { NotificationFact } from '../../../src/processors/port/notifications.ts';
import { answerWith, uploadTo } from '../../support/evidence-files.ts';
import { eventually, waitForDispute } from '../../support/make.ts';
import { type NotifyingStack, notified_at } from '../../support/notifying-stack.ts';

/** Disputes that an operator closes, because their account is removed or silent. */
export function describeOpenDisputes(florin: NotifyingStack): void {
  describe('an open dispute that no notification will decide', () => {
    let closing: string;

    async function openDispute(): Promise<{ payment: string; dispute: string; reference: string }> {
      const payment = await florin.pay();
      const reference = `dsp-${payment.id}`;
      const { amount_currency } = (await florin.client.fetch('payment_demands', payment.id))
        .attributes;
      const { status } = await florin.apply(
        disputeFact(payment, { reference, currency: amount_currency, status: 'open' }),
        { to: closing },
      );
      expect(status).toBe('applied');
      return {
        payment: payment.id,
        dispute: (await waitForDispute(florin.client, payment.id)).id,
        reference,
      };
    }

    const disputeFact = (
      { id, attempt_id }: { id: string; attempt_id: string },
      dispute: { reference: string; currency: string; status: 'open' | 'won' | 'lost' },
    ): NotificationFact => ({
      kind: 'dispute',
      key: `${dispute.status} ${id}`,
      at: notified_at,
      processor_reference: `psp-${attempt_id}`,
      dispute: { reason: 'fraudulent', amount: 100, ...dispute },
    });

    const merchant = async () =>
      (await florin.db.query('select merchant_id from payment_demands limit 1', []))[0]
        ?.merchant_id as string;
    const close = async (id: string, outcome: string) =>
      florin.operator.send('POST', `/merchants/${await merchant()}/sandbox/disputes/${id}/close`, {
        reason: 'The processor shows it',
        outcome,
      });
    const transfersOf = async (id: string) =>
      (
        await florin.db.query(
          'select kind from ledger_transfers where source_id = $1 order by id',
          [id],
        )
      ).map(({ kind }) => kind);

    /** A merchant is refused each part of an answer through the removed account. */
    async function expectNoAnswer(id: string): Promise<void> {
      const attributes = { refund_policy: 'Within 30 days.' };
      await florin.client.send('PATCH', `/v2/disputes/${id}`, {
        data: { type: 'disputes', id, attributes },
      });
      const refusals = [
        await uploadTo(florin.client, { id }),
        await answerWith(florin.client, { id }, 'submit'),
        await answerWith(florin.client, { id }, 'accept'),
      ];
      expect(refusals.map(({ status }) => status)).toEqual([422, 422, 422]);
      for (const { body } of refusals)
        expect(body.errors?.[0]).toMatchObject({
          code: 'dispute_account_removed',
          detail:
            "The processor account Closing, which has the dispute, is removed. Answer in the processor's dashboard; the operator then closes the dispute.",
        });
    }

    /** An answer from before the removal is not sent, and its dispute needs a response again. */
    async function expectQueuedAnswerEnds(id: string): Promise<void> {
      await florin.db.query(
        `update disputes set status = 'under_review', submitted_at = now(), due_at = now() where id = $1`,
        [id],
      );
      const { attributes } = await eventually(
        () => florin.client.fetch('disputes', id),
        ({ attributes: { status } }) => status === 'needs_response',
      );
      expect([attributes.submitted_at, attributes.response_problem]).toEqual([
        null,
        expect.stringContaining('The processor account Closing was removed before'),
      ]);
    }

    beforeAll(async () => {
      closing = await florin.connect('Closing', florin.networkUrl);
      const rules = [{ name: 'All', accounts: [closing] }];
      expect((await florin.operator.send('PUT', '/routing/sandbox', { rules })).status).toBe(204);
    });

    it('is closed by an operator while the account is silent, by a command too', async () => {
      const { dispute, payment, reference } = await openDispute();
      expect((await close(dispute, 'lost')).body.errors[0].detail).toBe(
        'The account Closing can still tell the outcome. The merchant can still answer it.',
      );
      await florin.db.query(
        `update disputes set status = 'under_review', due_at = null, updated_at = updated_at - interval '31 days'
       where id = $1`,
        [dispute],
      );
      const [listed] = (await florin.operator.get('/disputes')).body.data;
      expect(listed).toMatchObject({ id: dispute, why: 'silent', account: 'Closing', reference });
      const services = { db: florin.db, system_clock: florin.clock };
      expect((await runDisputeCommand(services, { command: 'disputes' })).text).toContain(dispute);
      const command = { command: 'close_dispute', id: dispute, reason: 'Seen' } as const;
      const { text } = await runDisputeCommand(services, { ...command, outcome: 'lost' });
      expect(text).toBe(
        `Florin closes the dispute ${dispute} as lost within seconds, or at its next start.`,
      );
      await eventually(
        () => florin.client.fetch('disputes', dispute),
        ({ attributes }) => attributes.status === 'lost',
      );
      const [entry] = (await florin.operator.get(`/processor_accounts/${closing}`)).body.data
        .entries;
      expect(entry).toMatchObject({
        action: 'dispute_closed',
        details: { dispute, outcome: 'lost', reason: 'Seen' },
        account_email: null,
      });
      await expect(runDisputeCommand(services, { ...command, outcome: 'won' })).rejects.toThrow(
        'is lost already',
      );
      const { amount_currency } = (await florin.client.fetch('payment_demands', payment))
        .attributes;
      const paid = { id: payment, attempt_id: await florin.attemptOf(payment) };
      const contradiction = disputeFact(paid, {
        reference,
        currency: amount_currency,
        status: 'won',
      });
      expect((await florin.apply(contradiction, { to: closing })).status).toBe('conflict');
    });

    it('is closed although twenty earlier closings fail again and again', async () => {
      const { dispute } = await openDispute();
      await florin.db.query(
        `update disputes set status = 'under_review', due_at = null, updated_at = updated_at - interval '31 days'
       where id = $1`,
        [dispute],
      );
      // Disputes of the network have no account, so that a closing of one cannot be audited.
      await florin.db.query(
        `insert into disputes (merchant_id, mode, id, status, reason, amount_cents, amount_currency, processor, reference,
         evidence_due_at, payment_demand_id, created_at, updated_at)
       select merchant_id, mode, gen_random_uuid(), status, reason, amount_cents, amount_currency, 'blocked', n::text,
         evidence_due_at, payment_demand_id, created_at, updated_at
       from disputes, generate_series(1, 20) n where id = $1`,
        [dispute],
      );
      await florin.db.query(
        `insert into dispute_closings (merchant_id, mode, id, outcome, reason, created_at)
       select merchant_id, mode, id, 'won', 'Blocked', '2026-01-01' from disputes where processor = 'blocked'`,
        [],
      );
      await eventually(
        () => florin.db.query(`select id from dispute_closings where tried_at is not null`, []),
        (tried) => tried.length === 20,
      );
      await runDisputeCommand(
        { db: florin.db, system_clock: florin.clock },
        { command: 'close_dispute', id: dispute, outcome: 'won', reason: 'Seen' },
      );
      await eventually(
        () => florin.client.fetch('disputes', dispute),
        ({ attributes }) => attributes.status === 'won',
      );
      await florin.db.query(`delete from dispute_closings where reason = 'Blocked'`, []);
      await florin.db.query(`delete from disputes where processor = 'blocked'`, []);
    });

    it('is named before the removal of its account, and closed after it, with payment and ledger', async () => {
      const outcomes = ['won', 'lost', 'accepted'] as const;
      const opened = [await openDispute(), await openDispute(), await openDispute()];
      const path = `/processor_accounts/${closing}`;
      expect((await florin.operator.send('POST', `${path}/pause`, {})).status).toBe(204);
      const refused = await florin.operator.send('POST', `${path}/remove`, {});
      expect(refused.body.errors[0].detail).toContain('and 3 open disputes. Keep it paused, or');
      const removed = await florin.operator.send('POST', `${path}/remove`, {
        give_up_refunds: true,
      });
      expect(removed.status).toBe(204);
      const shown = (await florin.operator.get(path)).body.data;
      expect(shown.obligations.open_disputes).toBe(3);
      expect(shown.entries[0]).toMatchObject({ action: 'removed', details: { open_disputes: 3 } });
      await expectNoAnswer(opened[0]?.dispute as string);
      await expectQueuedAnswerEnds(opened[1]?.dispute as string);
      for (const [index, outcome] of outcomes.entries()) {
        const { dispute, payment } = opened[index] as (typeof opened)[number];
        expect((await florin.operator.get('/disputes')).body.data[0]).toMatchObject({
          id: dispute,
          why: 'removed',
        });
        expect((await close(dispute, outcome)).status).toBe(204);
        const state = outcome === 'won' ? 'won' : 'lost';
        expect((await florin.client.fetch('disputes', dispute)).attributes.status).toBe(state);
        expect(await transfersOf(dispute)).toEqual(['dispute_opened', `dispute_${state}`]);
        expect(await florin.statusOf(payment)).toBe('succeeded');
        expect((await close(dispute, outcome)).status).toBe(405);
      }
      expect((await florin.operator.get('/disputes')).body.data).toEqual([]);
      const { entries } = (await florin.operator.get(`/merchants/${await merchant()}`)).body;
      expect(entries[0]).toMatchObject({ kind: 'close_dispute', reason: 'The processor shows it' });
    });
  });
}
