import { shortReference } from '../../../src/processors/adapters/checkout-com/reference.ts';
import { MERCHANT_ACCOUNT, useAdyenStack } from '../adyen.ts';
import { useCheckoutStack } from '../checkout-com.ts';
import type { createClockAhead } from '../clock-ahead.ts';
import { useCnpStack } from '../worldpay-cnp.ts';
import type { FaultyProcessor } from './run-plan.ts';

/** Starts Florin and a stand-in for the tests of a `describe`. */
type UseProcessor = (clock: ReturnType<typeof createClockAhead>) => FaultyProcessor;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface AdyenModification {
  readonly kind: string;
  readonly state: string;
  readonly reference?: string;
}
interface AdyenRecord {
  readonly status: string;
  readonly amount: number;
  readonly captured: number;
  readonly refunded: number;
  readonly modifications: readonly AdyenModification[];
}

const useAdyen: UseProcessor = (clock) => {
  const stack = useAdyenStack(clock);
  const recordsOf = (reference: string) =>
    stack.control(
      'GET',
      `/accounts/${MERCHANT_ACCOUNT}/payments?reference=${reference}`,
    ) as Promise<AdyenRecord[]>;
  return Object.assign(stack, {
    choices: {
      targets: [
        { method: 'POST', path: '/payments' },
        { method: 'POST', path: '/payments' },
        { method: 'POST', path: '/captures' },
        { method: 'POST', path: '/captures' },
        { method: 'POST', path: '/refunds' },
        { method: 'POST', path: '/reversals' },
        { method: 'POST', path: '/cancels' },
      ],
      notificationFaults: [
        { kind: 'lost' },
        { kind: 'lost', event: 'AUTHORISATION' },
        { kind: 'doubled' },
        { kind: 'late', delay_ms: 300 },
        { kind: 'late', delay_ms: 20 * MINUTE_MS },
        { kind: 'late', delay_ms: 30 * HOUR_MS },
        { kind: 'out_of_order' },
        { kind: 'before_answer' },
      ],
    },
    async bookedPaymentsOf(attempt_id: string) {
      const records = await recordsOf(attempt_id);
      return records.map(({ status, amount, captured, refunded }) => ({
        held: status === 'authorised' && captured === 0 ? amount : 0,
        captured,
        refunded,
      }));
    },
    async hasExecuted({ authorisation_id, demand_id, operation }) {
      const records = await recordsOf(authorisation_id);
      const own = records
        .flatMap(({ modifications }) => modifications)
        .filter(({ kind, reference }) => kind === operation && reference === demand_id);
      if (own.some(({ state }) => state === 'pending')) return undefined;
      return own.some(({ state }) => state === 'succeeded');
    },
    async decideDispute(psp, end) {
      for (const event of disputeEvents[end])
        await stack.control('POST', `/disputes/${psp}/events`, event);
    },
  } satisfies Omit<FaultyProcessor, keyof typeof stack>);
};

const wonEvent = { event: 'CHARGEBACK_REVERSED', status: 'Won' };
const disputeEvents = {
  won: [wonEvent],
  lost: [{ event: 'DISPUTE_DEFENSE_PERIOD_ENDED', status: 'Lost' }],
  second_chargeback: [wonEvent, { event: 'SECOND_CHARGEBACK' }],
} as const;
const disputeStatuses = {
  won: ['won'],
  lost: ['lost'],
  second_chargeback: ['won', 'arbitration_under_review', 'arbitration_lost'],
} as const;

const useCheckout: UseProcessor = (clock) => {
  const stack = useCheckoutStack(clock);
  const approval = { event: 'payment_approved' };
  return Object.assign(stack, {
    choices: {
      targets: [
        { method: 'POST', path: '/payments' },
        { method: 'POST', path: '/payments' },
        { method: 'POST', path: '/captures' },
        { method: 'POST', path: '/refunds' },
        { method: 'POST', path: '/reversals' },
        { method: 'GET', path: '/payments' },
        { method: 'GET', path: '/actions' },
      ],
      notificationFaults: [
        { kind: 'lost' },
        { kind: 'doubled' },
        { kind: 'late', delay_ms: 300 },
        { kind: 'late', delay_ms: 2 * HOUR_MS },
        { kind: 'out_of_order' },
        { kind: 'before_answer' },
        // Their body stays wrong when it is sent again, so disputes have no such fault.
        { kind: 'wrong_signature', ...approval },
        { kind: 'unknown_type', ...approval },
        { kind: 'malformed', ...approval },
      ],
    },
    async bookedPaymentsOf(attempt_id: string) {
      const payments = await stack.paymentsOf(shortReference(attempt_id));
      return payments.map(({ balances }) => ({
        held: balances.available_to_void ?? 0,
        captured: balances.total_captured ?? 0,
        refunded: balances.total_refunded ?? 0,
      }));
    },
    // Florin inquires, so an operator has nothing to look up.
    hasExecuted: () => Promise.resolve(undefined),
    async decideDispute(id, end) {
      for (const status of disputeStatuses[end])
        await stack.control('POST', `/disputes/${id}/status`, { status });
    },
  } satisfies Omit<FaultyProcessor, keyof typeof stack>);
};

const useCnp: UseProcessor = (clock) => {
  const stack = useCnpStack(clock);
  return Object.assign(stack, {
    choices: {
      targets: [
        { path: '/sale/' },
        { path: '/sale/' },
        { path: '/authorization/' },
        { path: '/capture/' },
        { path: '/credit/' },
        { path: '/authReversal/' },
        { path: '/queryTransaction/' },
      ],
      // There are neither notifications nor disputes.
      notificationFaults: [],
      has_disputes: false,
      has_network_tokens: false,
    },
    bookedPaymentsOf: stack.paymentsOf,
    // Florin inquires, so an operator has nothing to look up.
    hasExecuted: () => Promise.resolve(undefined),
    decideDispute: () => Promise.resolve(),
  } satisfies Omit<FaultyProcessor, keyof typeof stack>);
};

/** Processors whose stand-ins plans run against, by the name of their adapter. */
export const faultyProcessors: Readonly<Record<string, UseProcessor>> = {
  adyen: useAdyen,
  checkout_com: useCheckout,
  worldpay_cnp: useCnp,
};
