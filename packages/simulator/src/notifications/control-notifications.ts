import { badControl, noContent, notFound } from '../stand-in/answer.ts';
import type { ControlRoute } from '../stand-in/control.ts';
import { wholeNumberOf } from '../stand-in/members.ts';
import type { DeliveryBooks, StoredDelivery } from './delivery-books.ts';
import type { Notifier } from './notifier.ts';

/** Parts of a stand-in that the control surface of notifications uses. */
export interface NotificationServices {
  readonly books: { readonly deliveries: DeliveryBooks };
  readonly notifier: Notifier;
}

const LISTED_DEFAULT = 100;
const LISTED_MAX = 1_000;

/**
 * Operations on notifications:
 *
 * - `GET /notifications?limit=`: deliveries, newest first.
 * - `POST /notifications/{position}/resend`: sends a delivery again.
 * - `POST /notification-faults {kind, event?, subject?, times?, delay_ms?}` adds a fault, `DELETE` removes all.
 */
export const notificationControlRoutes: readonly ControlRoute<NotificationServices>[] = [
  {
    method: 'GET',
    path: /^\/notifications$/,
    run({ books }, { query }) {
      const limit = Math.min(wholeNumberOf(query.get('limit')) ?? LISTED_DEFAULT, LISTED_MAX);
      return { status: 200, body: books.deliveries.latest(limit).map(renderDelivery) };
    },
  },
  {
    method: 'POST',
    path: /^\/notifications\/(\d{1,15})\/resend$/,
    run: ({ notifier }, _, position) => (notifier.resend(Number(position)) ? noContent : notFound),
  },
  {
    method: 'POST',
    path: /^\/notification-faults$/,
    run({ notifier }, { body }) {
      const error = notifier.faults.add(body);
      return error === undefined ? noContent : badControl(error);
    },
  },
  {
    method: 'DELETE',
    path: /^\/notification-faults$/,
    run({ notifier }) {
      notifier.faults.clear();
      return noContent;
    },
  },
];

const renderDelivery = ({ headers: _, dueAt, lastResult, ...delivery }: StoredDelivery) => ({
  ...delivery,
  due_at: new Date(dueAt).toISOString(),
  last_result: lastResult,
});
