import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import { transition } from '../../platform/database/transition.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { hasProcessor } from '../merchants/processor.ts';
import { moveAccessEpoch } from '../merchants/sql/access-epoch.ts';
import { insertAlerts, newAlert } from '../records/alert.ts';
import {
  type ActionContext,
  type AuditedAction,
  type OperatorAction,
  runOperatorAction,
} from './operator-actions.ts';

/** Days from the approval to the first review. */
const FIRST_REVIEW_DAYS = 365;
const DAY_SECONDS = 24 * 60 * 60;

/** Approves merchants for live mode, and reviews them periodically. */
export interface Reviews {
  /**
   * Approves a merchant; has no effect if it is already approved. Throws 405 for an incomplete
   * application.
   */
  approve(operatorAction: OperatorAction): Promise<void>;
  /** Starts a review. A running review restarts. */
  start(operatorAction: OperatorAction): Promise<void>;
  /** Finishes a review and schedules the next one. */
  finish(operatorAction: OperatorAction, next_in_days: number): Promise<void>;
  /** Stores a note in the audit log; changes nothing else. */
  note(operatorAction: OperatorAction): Promise<void>;
}

export function createReviews(services: Services): Reviews {
  const changeReview = ({ tx, merchant, now }: ActionContext, set: Row): Promise<unknown> =>
    transition(tx, services.catalog, { table: 'merchants', at: instantText(now) }, [
      { before: merchant, set },
    ]);
  return {
    async approve(operatorAction) {
      await runOperatorAction(services, operatorAction, { kind: 'approve' }, async (context) => {
        if (context.merchant.active_at != null) return;
        if (context.merchant.submitted_at == null) throw notSubmitted();
        const at = instantText(context.now);
        await changeReview(context, {
          active_at: at,
          reviewed_at: at,
          ...reviewDueColumns(context, FIRST_REVIEW_DAYS),
        });
        const alerts = approvalAlerts(services, context);
        await insertAlerts(context.tx, services.catalog, alerts, context.now);
        await moveAccessEpoch(context.tx);
      });
      services.callers.clearCache();
    },
    start: (operatorAction) =>
      runOperatorAction(services, operatorAction, { kind: 'start_review' }, async (context) => {
        await changeReview(context, { review_started_at: instantText(context.now) });
      }),
    finish: (operatorAction, next_in_days) =>
      runOperatorAction(services, operatorAction, finishedReview(next_in_days), async (context) => {
        await changeReview(context, {
          reviewed_at: instantText(context.now),
          ...reviewDueColumns(context, next_in_days),
        });
      }),
    note: (operatorAction) =>
      runOperatorAction(services, operatorAction, { kind: 'note' }, async () => {}),
  };
}

const finishedReview = (next_in_days: number): AuditedAction => ({
  kind: 'finish_review',
  details: { next_in_days },
});

const reviewDueColumns = ({ now }: ActionContext, days: number): Row => ({
  review_due_at: instantText(now + seconds(days * DAY_SECONDS)),
  review_started_at: null,
});

function approvalAlerts(services: Services, { merchant, now }: ActionContext): Row[] {
  const merchant_id = merchant.id as string;
  const code = hasProcessor(services, { merchant_id, mode: 'live' })
    ? APPROVED
    : 'merchant_approved_without_processor';
  return (['live', 'sandbox'] as const).map((mode) =>
    newAlert({ merchant_id, mode }, now, {
      code: APPROVED,
      message: { code, parameters: {} },
    }),
  );
}

/** Code of the alert that the merchant may take payments. */
const APPROVED = 'merchant_approved';

const notSubmitted = () =>
  problem(
    'invalid_state',
    'The application is incomplete. The merchant must complete it before you can approve it.',
  );
