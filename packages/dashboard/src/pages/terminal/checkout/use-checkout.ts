import { useRef, useState } from 'react';
import type { Draft } from '../../../api/queries.ts';
import { NEW } from '../payer/payer-values.ts';
import { type CheckoutType, type Intent, useIntent } from './use-intent.ts';

interface State extends Intent {
  readonly step: 'details' | 'card' | 'retry' | 'outcome';
  /** Whether a decline that the record shows is of an earlier confirmation than the one that is sent now. */
  readonly isRetry?: boolean;
  /** Whether another checkout ended before this one. */
  readonly isNext?: boolean;
}

const FIRST: State = { step: 'details' };

/** Steps from the details to the outcome. */
export function useCheckout(type: CheckoutType) {
  const [state, setState] = useState<State>(FIRST);
  const change = (changes: Partial<State>) => setState((before) => ({ ...before, ...changes }));
  const intent = useIntent({ type, intent: state, change });
  const { run, error, isPending } = useRun();
  const { step, id = '' } = state;
  const send = async (of: string): Promise<void> => {
    const isAnswered = await intent.send(of);
    change({ step: 'outcome', ...(isAnswered && { isRetry: false }) });
  };
  return {
    ...{ step, id, error, isPending },
    amount: state.amount,
    isNext: state.isNext === true,
    /** Whether a decline may be older than the last confirmation, because that one has no response yet. */
    isUnanswered: state.isRetry === true,
    /** Creates the intent, and charges a saved card. A new card is typed in the next step. */
    submit: (draftOf: () => Promise<Draft>, card: string) =>
      run(async () => {
        const created = await intent.create(await draftOf(), card);
        if (card === NEW) change({ step: 'card' });
        else await send(created);
      }),
    /** Verifies the card in the frame, and charges it. The frame verifies each entry once. */
    payInFrame: (verify: () => Promise<unknown>) =>
      run(async () => {
        await verify();
        await send(id);
      }),
    /** Charges another card after a decline. */
    retry: (card: string) =>
      run(async () => {
        if (card === NEW) return change({ step: 'card', card });
        await intent.replaceCard(card);
        await send(id);
      }),
    /** Sends a confirmation again that had no response and no effect. */
    sendAgain: () => run(() => send(id)),
    chooseOtherCard: () => {
      intent.renew();
      change({ step: 'retry', isRetry: true });
    },
    /** Call when the record shows that the last confirmation arrived. */
    arrived: () => {
      if (state.isRetry) change({ isRetry: false });
    },
    back: () => {
      if (state.wasSent) return change({ step: 'retry' });
      intent.cancel();
      setState(FIRST);
    },
    restart: () => {
      intent.renew();
      setState({ ...FIRST, isNext: true });
    },
  };
}

export type Checkout = ReturnType<typeof useCheckout>;

/** Runs one piece of work at a time, so that a double click has no effect. Keeps the last error. */
function useRun() {
  const isBusy = useRef(false);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setPending(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      isBusy.current = false;
      setPending(false);
    }
  };
  return { run, error, isPending };
}
