import { describe, expect, it } from 'vitest';
import type { AdyenStack } from '../../support/adyen.ts';
import {
  answerWith,
  pdfBytes,
  pngBytes,
  uploadTo,
  waitForStatus,
} from '../../support/evidence-files.ts';
import { eventually, makeCapturedPayment, waitForDispute } from '../../support/make.ts';

/** Disputes that the merchant answers through the interface of disputes. */
export function describeAdyenDisputes(florin: AdyenStack): void {
  describe('a dispute at Adyen', () => {
    async function openDispute() {
      const payment = await makeCapturedPayment(florin.client, { amount_cents: 5_000 });
      const [attempt] = await florin.db.query(
        `select processor_reference from attempts where payment_demand_id = $1 and operation = 'authorise'`,
        [payment.id],
      );
      await florin.control('POST', `/payments/${attempt?.processor_reference}/disputes`, {});
      return waitForDispute(florin.client, payment.id);
    }
    const lose = (operation: string) =>
      florin.control('POST', '/faults', {
        method: 'POST',
        path: `/ca/services/DisputeService/v30/${operation}`,
        kind: 'lose_answer',
      });

    it.each([
      ['a receipt and a delivery note', ['receipt', 'shipping_documentation'], undefined],
      ['one PDF', ['uncategorized_file'], undefined],
      ['one PDF, although the answer to it is lost', ['receipt'], 'supplyDefenseDocument'],
      ['one PDF, although the answer to the defence is lost', ['receipt'], 'defendDispute'],
    ])('is defended with %s, and won', async (_, purposes, lost) => {
      const dispute = await openDispute();
      expect(dispute.attributes).toMatchObject({ status: 'needs_response', amount_cents: 5_000 });
      for (const purpose of purposes) {
        const query = `purpose=${purpose}&file_name=a.pdf`;
        expect((await uploadTo(florin.client, dispute, pdfBytes(), { query })).status).toBe(201);
      }
      if (lost) await lose(lost);
      expect((await answerWith(florin.client, dispute, 'submit')).status).toBe(200);
      await waitForStatus(florin.client, dispute, 'won');
    });

    it('is defended once, although a second try is locked out after a lost answer', async () => {
      const dispute = await openDispute();
      await uploadTo(florin.client, dispute, pdfBytes());
      // All tries come before the notification.
      await florin.configure({ webhook_delay_ms: 600_000 });
      await lose('defendDispute');
      const path = '/ca/services/DisputeService/v30/defendDispute';
      await florin.control('POST', '/faults', {
        method: 'POST',
        path,
        kind: 'refuse',
        status: 401,
      });
      await answerWith(florin.client, dispute, 'submit');
      const [answered] = await eventually(
        () => florin.db.query('select * from disputes where id = $1', [dispute.id]),
        ([row]) => row?.response_problem != null || row?.due_at == null,
      );
      expect(answered).toMatchObject({ status: 'under_review', response_problem: null });
    });

    it('is accepted, and lost', async () => {
      const dispute = await openDispute();
      await answerWith(florin.client, dispute, 'accept');
      await waitForStatus(florin.client, dispute, 'lost');
    });

    it('refuses what Adyen does not take', async () => {
      const dispute = await openDispute();
      const png = await uploadTo(florin.client, dispute, pngBytes());
      expect(png.body.errors?.[0]?.detail).toBe(
        'Adyen does not accept this file. Accepted: PDF up to 2000000 bytes, JPEG up to 5000000 bytes.',
      );
      const { id, type } = dispute;
      const attributes = { refund_policy: 'Within 30 days.' };
      await florin.client.send('PATCH', `/v2/disputes/${id}`, { data: { id, type, attributes } });
      const submitted = await answerWith(florin.client, dispute, 'submit');
      expect(submitted.body.errors?.[0]).toMatchObject({
        code: 'invalid',
        detail: expect.stringMatching(/^Adyen takes files only/),
      });
    });
  });
}
