import { expect, it } from 'vitest';
import type { RecordOf } from '../../../api/types.ts';
import { declinedCards } from './declined-cards.ts';

const payment = (card: string | null, status: string, failure_reason: string | null = null) =>
  ({
    attributes: { status, failure_reason, updated_at: `${status} ${failure_reason}` },
    relationships: {
      payment_method: { data: card && { type: 'payment_methods', id: card } },
    },
  }) as unknown as RecordOf<'payment_demands'>;

it.each([
  ['its last payment was declined', [['failed', 'generic_decline'], ['succeeded']], true],
  ['it paid after a decline', [['succeeded'], ['failed', 'insufficient_funds']], false],
  ['the last payment waits', [['processing'], ['failed', 'insufficient_funds']], true],
  ['no bank saw the last payment', [['failed', 'blocked'], ['succeeded']], false],
  ['only Florin refused it', [['failed', 'velocity_exceeded']], false],
] as const)('a card is declined if %s: %j', (_why, payments, isDeclined) => {
  const all = payments.map(([status, reason]) => payment('a', status, reason));
  const cards = declinedCards([payment(null, 'failed', 'lost_card'), ...all]);
  expect([...cards.keys()]).toEqual(isDeclined ? ['a'] : []);
});

it('the time of a decline is that of its outcome', () => {
  expect(declinedCards([payment('a', 'failed', 'lost_card')]).get('a')).toBe('failed lost_card');
});
