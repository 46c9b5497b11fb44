import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callInterface } from '../../../api/client.ts';
import { isRefusal } from '../../../api/errors.ts';
import { createSendKey, type SendKey } from '../../../api/keys.ts';
import { addressOf, keyOf } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import { type EnteredReason, reasonAttributes } from '../refund-reason.ts';
import type { PlannedRefund } from './plan.ts';

/** Result of the requests for one refund; the error of the last one. */
export type RefundResult =
  | { readonly isDone: true }
  | {
      readonly isDone: false;
      /** Whether the refund certainly does not exist. A request without a response may have created it. */
      readonly isRefused: boolean;
      readonly error: unknown;
    };

/** Requests of a run: those with a result, and all of them. */
interface RefundProgress {
  readonly done: number;
  readonly total: number;
}

/** Pauses before the lists are read again: refunds get their outcome a moment after the requests. */
const OUTCOME_PAUSES_MS = [1_500, 3_000, 6_000, 12_000];

/** Creates one idempotency key per payment. A key outlives the dialog, so that a repeat sends the same request. */
export function createRefundKeys(): (paymentId: string) => SendKey {
  const keys = new Map<string, SendKey>();
  return (paymentId) => {
    const key = keys.get(paymentId) ?? createSendKey();
    keys.set(paymentId, key);
    return key;
  };
}

/** Adds a result. A refusal after a request without a response proves nothing about that request. */
export function withResult(
  results: ReadonlyMap<string, RefundResult>,
  id: string,
  result: RefundResult,
): ReadonlyMap<string, RefundResult> {
  const before = results.get(id);
  const wasUnanswered = before?.isDone === false && !before.isRefused;
  const known = wasUnanswered && !result.isDone ? { ...result, isRefused: false } : result;
  return new Map([...results, [id, known]]);
}

/** Sends refunds one after the other, until the last or until the person stops. */
export function useRefunds(keyFor: ReturnType<typeof createRefundKeys>) {
  const scope = useScope();
  const queries = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<string, RefundResult>>(new Map());
  const [progress, setProgress] = useState<RefundProgress>();
  const isStopped = useRef(false);
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  // A closed dialog shows no results, so it sends nothing more.
  useEffect(() => stop, [stop]);
  const send = async (
    { payment, cents }: PlannedRefund,
    entered: EnteredReason,
  ): Promise<RefundResult> => {
    const { amount_currency } = payment.attributes;
    const data = {
      type: 'refund_demands',
      attributes: { amount_cents: cents, amount_currency, ...reasonAttributes(entered) },
      relationships: { payment_demand: { data: { type: 'payment_demands', id: payment.id } } },
    };
    const key = keyFor(payment.id);
    try {
      const options = { method: 'POST', body: { data }, idempotency_key: key.current() } as const;
      await callInterface(scope, addressOf('refund_demands'), options);
      key.done();
      return { isDone: true };
    } catch (error) {
      key.failed(error);
      return { isDone: false, isRefused: isRefusal(error), error };
    }
  };
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: keyOf(scope) });
    await queries.invalidateQueries({ queryKey: ['dashboard'] });
  };
  const run = async (refunds: readonly PlannedRefund[], entered: EnteredReason) => {
    isStopped.current = false;
    for (const [at, refund] of refunds.entries()) {
      if (isStopped.current) break;
      setProgress({ done: at, total: refunds.length });
      const result = await send(refund, entered);
      setResults((before) => withResult(before, refund.payment.id, result));
    }
    setProgress(undefined);
    await refresh();
    // Not awaited: the dialog may close meanwhile.
    void repeatLater(refresh);
  };
  return { results, progress, run, stop };
}

async function repeatLater(read: () => Promise<void>): Promise<void> {
  for (const pause_ms of OUTCOME_PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
    await read();
  }
}
