import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { type AttemptResult, decidePaymentOutcome } from './decide-outcome.ts';

const now = 1_795_232_640_000_000;
const demand: Row = { status: 'processing', amount_cents: '2500', initiator: 'customer' };
const attemptRow = (status: string, columns: Row = {}): Row => ({
  status,
  inquiries: '0',
  created_at: instantText(now),
  not_after: instantText(now),
  ...columns,
});
const approval: AttemptResult = {
  result: 'approved',
  authorisation_code: 'A1',
  network_transaction_id: 'N1',
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'mismatch',
  codes: { avs_check: 'A' },
  refused_mismatches: ['postal_code_mismatch'],
};

describe('an approval that a rule of the merchant refuses', () => {
  it.each<[string, Row, AttemptResult]>([
    ['that captured already', { capture_method: 'automatic' }, approval],
    [
      'that a capture must follow',
      { capture_method: 'automatic' },
      { ...approval, captured: false },
    ],
    ['that only holds the amount', { capture_method: 'manual' }, approval],
  ])('%s is reversed, and the payment gets no hold and no success', (_, columns, result) => {
    for (const status of ['sending', 'unknown']) {
      const payment = { ...demand, ...columns };
      const changes = decidePaymentOutcome(attemptRow(status), payment, result, now);
      expect(changes?.attempt).toMatchObject({
        trigger: 'reverse',
        set: {
          decline_code: 'card_not_verified',
          postal_code_verification: 'mismatch',
          codes: '{"avs_check":"A"}',
        },
      });
      expect(changes?.demand).toMatchObject({
        set: { postal_code_verification: 'mismatch' },
        events: [],
      });
      expect(changes?.demand.trigger).toBeUndefined();
    }
  });

  it('is due for the resolver at once, which keeps its lease after an inquiry', () => {
    const dueOf = (status: string) =>
      decidePaymentOutcome(attemptRow(status), demand, approval, now)?.attempt.set.due_at;
    expect([dueOf('sending'), dueOf('unknown')]).toEqual([instantText(now), undefined]);
  });

  it('fails with its own reason once the reversal is known, and is not sent again', () => {
    const reversing = attemptRow('reversing', { decline_code: 'card_not_verified' });
    const changes = decidePaymentOutcome(reversing, demand, { result: 'reversed' }, now);
    expect([changes?.attempt.trigger, changes?.demand.trigger]).toEqual(['undo', 'decline']);
    expect(changes?.demand.set.failure_reason).toBe('card_not_verified');
    expect(changes?.demand.events).toEqual(['failed']);
  });

  it('is refused as late if it is late, too', () => {
    const late = attemptRow('unknown', { unknown_since: instantText(now - seconds(120)) });
    const result = { ...approval, late_approvals: 'reverse' } as AttemptResult;
    const changes = decidePaymentOutcome(late, demand, result, now);
    expect(changes?.attempt.set.decline_code).toBe('processor_timeout');
  });
});
