import type { Speech } from '../pages/speech.ts';
import type { Notice } from '../pages/subscription-page.ts';
import type { SubscriptionView } from '../pages/view.ts';

/** Query parameter with the outcome of the submitted form. */
export const OUTCOME_PARAMETER = 'outcome';

type Done = 'ending' | 'cancelled' | 'kept' | 'paused' | 'resumed' | 'card' | 'retry';
/** Outcome of a form. */
export type FormOutcome = Done | 'changed' | 'refused';

/** Whether the subscription matches the outcome: an address can be forged, or reopened later. */
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

/** Text for the outcome; undefined if it does not match. */
export function noticeOf(
  speech: Speech,
  view: SubscriptionView,
  outcome: unknown,
): Notice | undefined {
  if (outcome === 'changed' || outcome === 'refused')
    return { kind: 'problem', text: speech.text(`problem_${outcome}`) };
  const done = (Object.keys(isSo) as Done[]).find((name) => name === outcome);
  if (!done || !isSo[done](view)) return undefined;
  // The failed payment was retried with the new card, and has failed again.
  if (done === 'card' && isA('failed', view))
    return { kind: 'problem', text: speech.text('about_failed_card') };
  const end = endOf(view);
  const values = end === undefined ? {} : { date: speech.date(end) };
  return { kind: 'done', text: speech.text(`done_${done}`, values) };
}
