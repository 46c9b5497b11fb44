import { expect, it } from 'vitest';
import { instantText } from '../../platform/time/clock.ts';
import { type AttemptResult, decidePaymentOutcome } from '../payments/decide-outcome.ts';
import { decideOutcomes, demandChangesOf } from './record-outcome.ts';

const now = 1_795_232_640_000_000;
const at = instantText(now);
const approved: AttemptResult = {
  result: 'approved',
  authorisation_code: null,
  network_transaction_id: null,
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
};

it('changes a payment once, although a batch ends an abandoned attempt and the attempt after it', () => {
  const demand = { id: 'p', status: 'processing', amount_cents: '2500', unsent_count: '0' };
  const before = { id: 'a', status: 'reversing', abandoned_at: at, created_at: at, inquiries: '1' };
  const after = { id: 'b', status: 'sending', created_at: at, inquiries: '0' };
  const results = [
    { attempt: before, demand, result: { result: 'reversed' } as AttemptResult },
    { attempt: after, demand, result: approved },
  ];
  const outcomes = decideOutcomes(results, decidePaymentOutcome, now);
  expect(outcomes.map(({ changes }) => changes.attempt.trigger)).toEqual(['undo', 'approve']);
  expect(demandChangesOf(outcomes).map(({ trigger }) => trigger)).toEqual(['approve']);
});
