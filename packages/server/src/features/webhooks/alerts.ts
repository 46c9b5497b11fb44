import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf } from '../../platform/time/clock.ts';
import { newAlert, WEBHOOK_PAUSED } from '../records/alert.ts';

/** Alert to the merchant's members: the subscription is paused, and since when it has failed. */
export const pausedAlert = (subscription: Row, now: Micros): Row =>
  newAlert(subscription, now, {
    message: {
      code: WEBHOOK_PAUSED,
      parameters: {
        host: hostOf(subscription),
        since: instantText(microsOf(subscription.failing_since as string)),
      },
    },
    subject: aboutOf(subscription),
  });

/** Alert to the merchant's members: a part of a paused subscription's backlog was stopped. */
export const backlogAlert = (subscription: Row, now: Micros): Row =>
  newAlert(subscription, now, {
    message: { code: 'webhook_backlog_stopped', parameters: { host: hostOf(subscription) } },
    subject: aboutOf(subscription),
  });

const hostOf = ({ url }: Row): string => URL.parse(url ?? '')?.host ?? '–';

const aboutOf = ({ id }: Row): Row => ({ webhook_subscription_id: id ?? null });
