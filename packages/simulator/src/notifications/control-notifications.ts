import { wholeNumberOf } from '../stand-in/members.ts';
import type { DeliveryBooks, StoredDelivery } from './delivery-books.ts';
import type { Notifier } from './notifier.ts';

/** Request to a stand-in's control surface about notifications. */
export interface NotificationControl {
  readonly method: string;
  /** Path after `/control`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const LISTED_DEFAULT = 100;
const LISTED_MAX = 1_000;
const RESEND_PATH = /^\/notifications\/(\d{1,15})\/resend$/;

/**
 * Serves the paths of notifications on a control surface; undefined for all other paths. Runs inside a commit.
 *
 * - `GET /notifications?limit=`: deliveries, newest first.
 * - `POST /notifications/{position}/resend`: sends a delivery again.
 * - `POST /notification-faults {kind, event?, subject?, times?, delay_ms?}` adds a fault, `DELETE` removes all.
 */
export function controlNotifications(
  notifier: Notifier,
  books: DeliveryBooks,
  { method, path, query, body }: NotificationControl,
): { readonly status: number; readonly body?: unknown } | undefined {
  const operation = `${method} ${path}`;
  const position = method === 'POST' ? RESEND_PATH.exec(path)?.[1] : undefined;
  if (position !== undefined) return { status: notifier.resend(Number(position)) ? 204 : 404 };
  if (operation === 'GET /notifications') {
    const limit = Math.min(wholeNumberOf(query.get('limit')) ?? LISTED_DEFAULT, LISTED_MAX);
    return { status: 200, body: books.latest(limit).map(renderDelivery) };
  }
  if (operation === 'POST /notification-faults') {
    const error = notifier.faults.add(body);
    return error === undefined ? { status: 204 } : { status: 400, body: { error } };
  }
  if (operation !== 'DELETE /notification-faults') return undefined;
  notifier.faults.clear();
  return { status: 204 };
}

const renderDelivery = ({ headers: _, dueAt, lastResult, ...delivery }: StoredDelivery) => ({
  ...delivery,
  due_at: new Date(dueAt).toISOString(),
  last_result: lastResult,
});
