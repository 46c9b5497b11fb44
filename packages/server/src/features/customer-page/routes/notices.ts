import type { Speech } from '../pages/speech.ts';
import type { Notice } from '../pages/subscription-page.ts';
import type { SubscriptionView } from '../pages/view.ts';

/** Where the page learns what became of the form that led to it. */
export const OUTCOME_PARAMETER = 'outcome';

type Done = 'ending' | 'cancelled' | 'kept' | 'paused' | 'resumed' | 'card' | 'retry';
/** What became of what a form asked for. */
export type Outcome = Done | 'changed' | 'refused';

/** Whether the subscription is as it would be: an address can be made up, or be opened again later. */
const isSo: Readonly<Record<Done, (view: SubscriptionView) => boolean>> = {
  ending: (view) => endOf(view) !== undefined,
  cancelled: (view) => isA('cancelled', view),
  kept: (view) => !isA('cancelled', view) && endOf(view) === undefined,
  paused: (view) => isA('paused', view),
  resumed: (view) => !isA('cancelled', view) && !isA('paused', view),
  card: (view) => !isA('cancelled', view),
  retry: (view) => !isA('cancelled', view),
};

const isA = (kind: string, { standings }: SubscriptionView): boolean => standings[0]?.kind === kind;

const endOf = ({ standings }: SubscriptionView): number | undefined =>
  standings.find(({ kind }) => kind === 'ending')?.at;

/** What to say of it; nothing where it is not so. */
export function noticeOf(
  speech: Speech,
  view: SubscriptionView,
  outcome: unknown,
): Notice | undefined {
  if (outcome === 'changed' || outcome === 'refused')
    return { kind: 'problem', text: speech.text(`problem_${outcome}`) };
  const done = (Object.keys(isSo) as Done[]).find((name) => name === outcome);
  if (!done || !isSo[done](view)) return undefined;
  // The payment that failed was tried with the new card, and has failed again.
  if (done === 'card' && isA('failed', view))
    return { kind: 'problem', text: speech.text('about_failed_card') };
  const end = endOf(view);
  const values = end === undefined ? {} : { date: speech.date(end) };
  return { kind: 'done', text: speech.text(`done_${done}`, values) };
}
