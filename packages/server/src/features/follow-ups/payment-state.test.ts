import { nextState } from '@florin/contract/machines/define-machine.ts';
import { paymentDemandMachine } from '@florin/contract/machines/payment-demand.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import type { ReservedAmounts } from '../ledger/sql/reserved-amounts.ts';
import { filterSendable, refundableOf, stateOf, triggerOf } from './payment-state.ts';

const CAPTURED = 100;
const payment: Row = {
  merchant_id: 'm',
  id: 'p',
  status: 'succeeded',
  amount_captured_cents: String(CAPTURED),
};
const noAmounts: ReservedAmounts = { refunded: 0, reserved: 0, open: 0, lost: 0 };

interface Dispute {
  readonly amount: number;
  readonly end: 'open' | 'won' | 'lost';
}

/** Reserved amounts after the first disputes were opened and some of them decided. */
const reservedAfter = (
  disputes: readonly Dispute[],
  notifiedIndexes: readonly number[],
): ReservedAmounts => {
  const amounts = { ...noAmounts };
  for (const [at, { amount, end }] of disputes.entries()) {
    const steps = notifiedIndexes.filter((notifiedIndex) => notifiedIndex === at).length;
    const state = steps === 2 ? end : 'open';
    if (steps > 0 && state !== 'won') amounts[state] += amount;
  }
  return amounts;
};

/**
 * State of a payment after each dispute notification. Fails if the machine has no such transition.
 */
function stateAfter(disputes: readonly Dispute[], notifiedIndexes: readonly number[]): string {
  return notifiedIndexes.reduce((status, _one, at) => {
    const amounts = reservedAfter(disputes, notifiedIndexes.slice(0, at + 1));
    const trigger = triggerOf({ ...payment, status }, amounts);
    if (!trigger) return status;
    const nextStatus = nextState(paymentDemandMachine, status as 'succeeded', trigger);
    if (!nextStatus) throw new Error(`${status} does not take ${trigger}`);
    return nextStatus;
  }, 'succeeded');
}

const disputes = fc.array(
  fc.record({
    amount: fc.integer({ min: 1, max: CAPTURED }),
    end: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Every order of opening and decision of disputes, with each opening before its decision. */
const orders = disputes.chain((someDisputes) =>
  fc
    .shuffledSubarray(
      someDisputes.flatMap((_one, at) => [at, at]),
      { minLength: someDisputes.length * 2, maxLength: someDisputes.length * 2 },
    )
    .map((notificationOrders) => [someDisputes, notificationOrders] as const),
);

describe('a payment and its disputes', () => {
  it('reach the same state for every order of notifications', () => {
    fc.assert(
      fc.property(orders, ([someDisputes, news]) => {
        const [open, lost] = (['open', 'lost'] as const).map((end) =>
          someDisputes
            .filter((dispute) => dispute.end === end)
            .reduce((sum, { amount }) => sum + amount, 0),
        );
        const amounts = reservedAfter(someDisputes, news);
        const remainingCents = CAPTURED - (open ?? 0) - (lost ?? 0);
        const state = (lost ?? 0) >= CAPTURED ? 'reversed' : open ? 'disputed' : 'succeeded';
        expect([stateAfter(someDisputes, news), refundableOf(payment, amounts)]).toEqual([
          state,
          Math.max(0, remainingCents),
        ]);
      }),
    );
  });

  it.each<[string, Partial<ReservedAmounts>, string, number]>([
    ['nothing', {}, 'succeeded', 100],
    ['a part that is disputed', { open: 40 }, 'disputed', 60],
    ['a part that was lost', { lost: 40 }, 'succeeded', 60],
    ['a part that was lost and one that is disputed', { lost: 40, open: 10 }, 'disputed', 50],
    ['all lost in two parts', { lost: 100 }, 'reversed', 0],
    ['all lost, and disputed once more', { lost: 100, open: 100 }, 'reversed', 0],
    ['all refunded', { refunded: 100 }, 'succeeded', 0],
    ['the rest after a refund lost', { refunded: 30, lost: 70 }, 'reversed', 0],
    ['a refund under way beside what was lost', { reserved: 30, lost: 70 }, 'succeeded', 0],
    ['more than there was', { refunded: 30, lost: 100 }, 'reversed', 0],
  ])('with %s', (_what, some, state, refundable) => {
    const amounts = { ...noAmounts, ...some };
    expect([stateOf(payment, amounts), refundableOf(payment, amounts)]).toEqual([
      state,
      refundable,
    ]);
  });
});

describe('refunds that are not sent yet', () => {
  const sendableFlags = (
    status: string,
    claims: Partial<ReservedAmounts>,
    ...amounts: readonly number[]
  ) => {
    const payments = new Map([['m p', { ...payment, status }]]);
    const reservedByPayment = new Map([['m p', { ...noAmounts, ...claims }]]);
    const refunds = amounts.map((amount) => ({
      merchant_id: 'm',
      payment_demand_id: 'p',
      amount_cents: String(amount),
    }));
    const sendableRefunds = filterSendable(
      { required_payment_state: 'succeeded' },
      refunds,
      payments,
      reservedByPayment,
    );
    return refunds.map((refund) => sendableRefunds.has(refund));
  };

  it.each<[string, string, Partial<ReservedAmounts>, readonly number[], readonly boolean[]]>([
    ['go where there is room', 'succeeded', { reserved: 100 }, [60, 40], [true, true]],
    ['stay while it is disputed', 'disputed', { reserved: 60, open: 40 }, [60], [false]],
    ['leave room for what was lost', 'succeeded', { reserved: 60, lost: 70 }, [60], [false]],
    ['are refused one by one', 'succeeded', { reserved: 100, lost: 50 }, [60, 40], [false, true]],
    ['never go from what is reversed', 'reversed', { reserved: 60, lost: 100 }, [60], [false]],
  ])('%s', (_what, status, claims, amounts, expected) => {
    expect(sendableFlags(status, claims, ...amounts)).toEqual(expected);
  });
});
