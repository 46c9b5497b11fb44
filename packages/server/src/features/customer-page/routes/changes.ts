import { ProblemError } from '@florin/contract/errors.ts';
import type { Services } from '../../../services.ts';
import { perTimeline } from '../../timelines/per-timeline.ts';
import { createCustomerActions, type SubmittedForm } from '../act.ts';
import { type CustomerAction, customerActions } from '../decide.ts';
import { createOutcomeWait } from '../outcome.ts';
import { MESSAGE_ID } from '../pages/parts.ts';
import { type CustomerPageHandler, type PageVisit, pathOf, refuseVisit } from './answers.ts';
import { readHiddenFields } from './forms.ts';
import { type FormOutcome, OUTCOME_PARAMETER } from './notices.ts';

/** Runs the action of a submitted form and redirects to the page. The page shows the outcome. */
export function createChangeHandler(services: Services): CustomerPageHandler {
  const customerActionsAt = perTimeline(createCustomerActions);
  const origin = new URL(services.config.pay_url).origin;
  const waitForOutcome = createOutcomeWait(services);
  return async (page_visit, request, reply) => {
    const { visit, token } = page_visit;
    const action = customerActions.find((name) => name === request.params.action);
    const fields = readHiddenFields(services.customer_links, token, request, origin);
    if (!action || !fields) return refuseVisit(page_visit, reply);
    const submittedForm: SubmittedForm = { ...fields, request_id: request.id };
    const actions = customerActionsAt(visit.services);
    const outcome = await outcomeOf(async () => {
      if (action === 'change_card') {
        const cardResult = await actions.changeCard(visit, submittedForm);
        // Waits for the retry, so that the page shows the result of the new card without a reload.
        return cardResult === 'retried' && (await waitForOutcome(visit))
          ? 'card'
          : outcomeByCardResult[cardResult];
      }
      await actions.act(visit, action, submittedForm);
      return outcomeByAction[action];
    });
    return reply.redirect(urlAfterOutcome(page_visit, outcome), 303);
  };
}

const outcomeByAction = {
  cancel_later: 'ending',
  cancel_now: 'cancelled',
  keep: 'kept',
  pause: 'paused',
  resume: 'resumed',
} as const satisfies Record<Exclude<CustomerAction, 'change_card'>, FormOutcome>;

const outcomeByCardResult = { none: 'refused', changed: 'card', retried: 'retry' } as const;

/**
 * Converts temporary errors of the interface to outcomes for the page. Forbidden actions remain
 * errors.
 */
async function outcomeOf(work: () => Promise<FormOutcome>): Promise<FormOutcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const codes = error.problems.map(({ code }) => code);
    if (codes.includes('forbidden')) throw error;
    return codes.includes('stale_record') ? 'changed' : 'refused';
  }
}

function urlAfterOutcome(page_visit: PageVisit, outcome: FormOutcome): string {
  const parameters = new URLSearchParams(page_visit.query);
  parameters.set(OUTCOME_PARAMETER, outcome);
  return `${pathOf(page_visit)}?${parameters}#${MESSAGE_ID}`;
}
