import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { newAlert, WEBHOOK_PAUSED } from '../records/alert.ts';

/** Alert to the merchant's members: the subscription is paused, and since when it has failed. */
export const pausedAlert = (subscription: Row, now: Micros): Row =>
  newAlert(subscription, now, {
    code: WEBHOOK_PAUSED,
    message: `Webhooks to ${hostOf(subscription)} are paused: the server has accepted none since ${subscription.failing_since}. Resume the subscription when the server works again: Florin then sends the pending webhooks.`,
    subject: aboutOf(subscription),
  });

/** Alert to the merchant's members: a part of a paused subscription's backlog was stopped. */
export const backlogAlert = (subscription: Row, now: Micros): Row =>
  newAlert(subscription, now, {
    code: 'webhook_backlog_stopped',
    message: `Webhooks to ${hostOf(subscription)} are paused, and their backlog has reached its limit: Florin gives up the oldest webhooks and does not send them later. Resume the subscription, then replay them.`,
    subject: aboutOf(subscription),
  });

const hostOf = ({ url }: Row): string => URL.parse(url ?? '')?.host ?? 'its address';

const aboutOf = ({ id }: Row): Row => ({ webhook_subscription_id: id ?? null });
