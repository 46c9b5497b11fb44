import { useEffect, useRef, useState } from 'react';
import { isRefusal } from '../../../api/errors.ts';
import { createSendKey } from '../../../api/keys.ts';
import { type Draft, useAction, useCreate, useUpdate } from '../../../api/queries.ts';
import { linkTo, NEW } from '../payer/payer-values.ts';

/** Types that a card pays for. */
export type CheckoutType = 'payment_demands' | 'payment_subscriptions';

/** Amount that an intent charges. */
export interface IntentAmount {
  readonly cents: number;
  readonly currency: string;
}

/** Payment or subscription that is created first and then confirmed. */
export interface Intent {
  /** Id, once it exists. */
  readonly id?: string;
  /** Draft of the intent. Another draft needs another intent. */
  readonly draft?: string;
  /** Amount of the intent, as the server stored it. */
  readonly amount?: IntentAmount;
  /** Saved card of the intent, or `new`. */
  readonly card?: string;
  /** Whether a confirmation was sent and may have taken effect. */
  readonly wasSent?: boolean;
}

interface Options {
  readonly type: CheckoutType;
  readonly intent: Intent;
  readonly change: (changes: Intent) => void;
}

/**
 * Writes of an intent. A create charges nothing, and the confirmation of one intent takes effect once. So a lost response
 * to either charges nothing twice.
 */
export function useIntent({ type, intent, change }: Options) {
  const [key, setKey] = useState(createSendKey);
  const create = useCreate(type);
  const update = useUpdate(type, '');
  const confirm = useAction(type, '', 'confirm', key);
  const cancel = useCancel(type, intent);
  const { id: knownId = '', wasSent = false } = intent;
  return {
    cancel,
    /** Begins another attempt: its confirmation is not a repetition of the last one. */
    renew: () => setKey(createSendKey()),
    /** Creates the intent, once for equal drafts. */
    create: async (draft: Draft, card: string): Promise<string> => {
      const complete = withCard(draft, card);
      const text = JSON.stringify(complete);
      if (intent.id && intent.draft === text) return intent.id;
      cancel();
      const { id, attributes } = await create.mutateAsync(complete);
      const { amount_cents: cents, amount_currency: currency } = attributes;
      change({ id, draft: text, card, amount: { cents, currency } });
      return id;
    },
    replaceCard: async (card: string): Promise<void> => {
      if (card !== intent.card) await update.mutateAsync({ id: knownId, ...withCard({}, card) });
      change({ card });
    },
    /** Confirms the intent. Resolves to false without a response: the outcome shows whether it took effect. */
    send: async (id: string): Promise<boolean> => {
      change({ wasSent: true });
      try {
        await confirm.mutateAsync({ id });
        return true;
      } catch (error) {
        if (!isRefusal(error)) return false;
        change({ wasSent });
        throw error;
      }
    },
  };
}

const withCard = (draft: Draft, card: string): Draft =>
  card === NEW
    ? draft
    : {
        ...draft,
        relationships: {
          ...draft.relationships,
          payment_method: linkTo('payment_methods', card),
        },
      };

/** Cancels an intent that was never sent, also when the person leaves the page. */
function useCancel(type: CheckoutType, { id, wasSent }: Intent): () => void {
  const { mutate } = useAction(type, '', 'cancel');
  const cancel = () => {
    if (id && !wasSent) mutate({ id });
  };
  const latest = useRef(cancel);
  latest.current = cancel;
  useEffect(() => () => latest.current(), []);
  return cancel;
}
