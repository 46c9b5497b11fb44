import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { transition } from '../../platform/database/transition.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { hasProcessor } from '../merchants/processor.ts';
import { moveAccessEpoch } from '../merchants/sql/access-epoch.ts';
import { newAlert } from '../records/alert.ts';
import { carryOut, type Kind, type Order, type OrderContext } from './orders.ts';

/** Days from the approval to the first review. */
const FIRST_REVIEW_DAYS = 365;
const DAY_SECONDS = 24 * 60 * 60;

/** Approves merchants for live mode, and reviews them periodically. */
export interface Reviews {
  /** Throws 405 for an incomplete application; an approved merchant stays approved. */
  approve(order: Order): Promise<void>;
  /** Starts a review; a running one restarts. */
  start(order: Order): Promise<void>;
  /** Finishes a review and schedules the next one. */
  finish(order: Order, next_in_days: number): Promise<void>;
  /** Adds an audit entry only. */
  note(order: Order): Promise<void>;
}

export function createReviews(services: Services): Reviews {
  const change = ({ tx, merchant, now }: OrderContext, set: Row): Promise<unknown> =>
    transition(tx, services.catalog, { table: 'merchants', at: instantText(now) }, [
      { before: merchant, set },
    ]);
  return {
    async approve(order) {
      await carryOut(services, order, { kind: 'approve' }, async (site) => {
        if (site.merchant.active_at != null) return;
        if (site.merchant.submitted_at == null) throw notSubmitted();
        const at = instantText(site.now);
        await change(site, { active_at: at, reviewed_at: at, ...dueIn(site, FIRST_REVIEW_DAYS) });
        await insertRows(
          site.tx,
          services.catalog,
          'account_alerts',
          approvalAlerts(services, site),
        );
        await moveAccessEpoch(site.tx);
      });
      services.callers.forgetAll();
    },
    start: (order) =>
      carryOut(services, order, { kind: 'start_review' }, async (site) => {
        await change(site, { review_started_at: instantText(site.now) });
      }),
    finish: (order, next_in_days) =>
      carryOut(services, order, finishing(next_in_days), async (site) => {
        await change(site, { reviewed_at: instantText(site.now), ...dueIn(site, next_in_days) });
      }),
    note: (order) => carryOut(services, order, { kind: 'note' }, async () => {}),
  };
}

const finishing = (next_in_days: number): Kind => ({
  kind: 'finish_review',
  details: { next_in_days },
});

const dueIn = ({ now }: OrderContext, days: number): Row => ({
  review_due_at: instantText(now + seconds(days * DAY_SECONDS)),
  review_started_at: null,
});

function approvalAlerts(services: Services, { merchant, now }: OrderContext): Row[] {
  const merchant_id = merchant.id as string;
  const message = hasProcessor(services, { merchant_id, mode: 'live' }) ? OPEN : NOT_OPEN_YET;
  return (['live', 'sandbox'] as const).map((mode) =>
    newAlert({ merchant_id, mode }, now, { code: 'merchant_approved', message }),
  );
}

const OPEN = 'The operator has approved the business: payments are taken in live mode from now on.';
const NOT_OPEN_YET =
  'The operator has approved the business. Live mode takes payments once a payment processor is connected.';

const notSubmitted = () =>
  problem(
    'invalid_state',
    'The merchant has not told all that is asked of it yet, so there is nothing to approve.',
  );
