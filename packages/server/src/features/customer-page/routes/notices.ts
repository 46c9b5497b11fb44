import type { Notice } from '../pages/subscription-page.ts';
import type { Translator } from '../pages/translator.ts';
import type { SubscriptionView } from '../pages/view.ts';

/** Query parameter with the outcome of a submitted form. */
export const OUTCOME_PARAMETER = 'outcome';

type ActionResult = 'ending' | 'cancelled' | 'kept' | 'paused' | 'resumed' | 'card' | 'retry';
/** Outcome of a submitted form. */
export type FormOutcome = ActionResult | 'changed' | 'refused';

/**
 * Whether the subscription matches an outcome. The URL with the outcome can be forged, or opened
 * again later.
 */
const matchesView: Readonly<Record<ActionResult, (view: SubscriptionView) => boolean>> = {
  ending: (view) => endOf(view) !== undefined,
  cancelled: (view) => hasStatus('cancelled', view),
  kept: (view) => !hasStatus('cancelled', view) && endOf(view) === undefined,
  paused: (view) => hasStatus('paused', view),
  resumed: (view) => !hasStatus('cancelled', view) && !hasStatus('paused', view),
  card: (view) => !hasStatus('cancelled', view),
  retry: (view) => !hasStatus('cancelled', view),
};

const hasStatus = (kind: string, { statuses }: SubscriptionView): boolean =>
  statuses[0]?.kind === kind;

const endOf = ({ statuses }: SubscriptionView): number | undefined =>
  statuses.find(({ kind }) => kind === 'ending')?.at;

/** Message about an outcome. Undefined if the subscription does not match the outcome. */
export function noticeOf(
  translator: Translator,
  view: SubscriptionView,
  outcome: unknown,
): Notice | undefined {
  if (outcome === 'changed' || outcome === 'refused')
    return { kind: 'problem', text: translator.text(`problem_${outcome}`) };
  const result = (Object.keys(matchesView) as ActionResult[]).find((name) => name === outcome);
  if (!result || !matchesView[result](view)) return undefined;
  // The retry with the new card failed too.
  if (result === 'card' && hasStatus('failed', view))
    return { kind: 'problem', text: translator.text('about_failed_card') };
  const end = endOf(view);
  const values = end === undefined ? {} : { date: translator.date(end) };
  return { kind: 'done', text: translator.text(`done_${result}`, values) };
}
