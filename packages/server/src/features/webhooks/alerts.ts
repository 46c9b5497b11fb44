import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { newAlert } from '../records/alert.ts';

/** Alert to the merchant's members: the subscription is paused, and since when it has failed. */
export const pausedAlert = (subscription: Row, now: Micros): Row =>
  newAlert(subscription, now, {
    code: 'webhook_subscription_paused',
    message: `Webhooks to ${hostOf(subscription)} are paused: nothing was taken there since ${subscription.failing_since}. Resume the subscription once its server takes them again; what is pending is sent then.`,
    subject: aboutOf(subscription),
  });

/** Alert to the merchant's members: a part of a paused subscription's backlog was stopped. */
export const backlogAlert = (subscription: Row, now: Micros): Row =>
  newAlert(subscription, now, {
    code: 'webhook_backlog_stopped',
    message: `Webhooks to ${hostOf(subscription)} are paused, and no more of them are kept: the oldest are stopped and are not sent when the subscription is resumed. Replay them once it is.`,
    subject: aboutOf(subscription),
  });

const hostOf = ({ url }: Row): string => URL.parse(url ?? '')?.host ?? 'its address';

const aboutOf = ({ id }: Row): Row => ({ webhook_subscription_id: id ?? null });
