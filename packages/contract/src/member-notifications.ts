import type { StoredAlertMessage } from './alert-messages/alert-messages.ts';
import type { ResourceType } from './resources/index.ts';

/** Kinds of notifications to members, with the type of the record that each is about. */
export const notificationKinds = {
  dispute_opened: 'disputes',
  evidence_due: 'disputes',
  dispute_decided: 'disputes',
  settlement_difference: 'settlement_exceptions',
  webhook_failing: 'webhook_subscriptions',
  webhook_paused: 'webhook_subscriptions',
  account_alert: 'account_alerts',
  mention: 'payment_demands',
} as const satisfies Readonly<Record<string, ResourceType>>;

export type NotificationKind = keyof typeof notificationKinds;

/** Kinds that follow a change of their record. A mention is given together with its note. */
export type ChangeKind = Exclude<NotificationKind, 'mention'>;

export const allNotificationKinds = Object.keys(notificationKinds) as readonly NotificationKind[];

/** Path of the record's page below the merchant and mode in the dashboard. */
export const notificationPath = (kind: NotificationKind, record_id: string): string =>
  paths[notificationKinds[kind]](record_id);

const paths = {
  disputes: (id) => `disputes/${id}`,
  settlement_exceptions: (id) => `records/settlement_exceptions/${id}`,
  webhook_subscriptions: (id) => `developers/webhooks/${id}`,
  account_alerts: () => 'alerts',
  payment_demands: (id) => `payments/${id}`,
} as const satisfies Record<
  (typeof notificationKinds)[NotificationKind],
  (record_id: string) => string
>;

export const notificationChannels = ['app', 'email'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** Facts of the record as they were when the notification was given; each kind has its own. */
export interface NotificationFacts {
  readonly amount_cents?: string;
  readonly amount_currency?: string;
  readonly evidence_due_at?: string;
  /** Decision about a dispute. */
  readonly status?: string;
  /** Host of a webhook. */
  readonly host?: string;
  readonly failing_since?: string;
  /** Message of an alert, in English. */
  readonly message?: string;
  /** The same message for other languages. */
  readonly alert?: StoredAlertMessage;
  /** Author of a note that mentions the member. */
  readonly author?: string;
}

/** A notification as the dashboard lists it. */
export interface MemberNotification {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly record_id: string;
  readonly facts: NotificationFacts;
  /** Number of later ones of the kind that this one stands for, beyond the limit per hour. */
  readonly more_count: number;
  readonly read_at: string | null;
  readonly created_at: string;
}

/** Number of unread notifications up to which they are counted: beyond it, `9+` is shown. */
export const UNREAD_COUNTED_MAX = 9;

export interface UnreadCount {
  /** At most `UNREAD_COUNTED_MAX + 1`, which stands for more. */
  readonly unread: number;
}

export interface MemberNotifications extends UnreadCount {
  /** The latest ones, newest first. */
  readonly notifications: readonly MemberNotification[];
}

/** Whether a member gets a kind, by channel. */
export type NotificationChoice = { readonly kind: NotificationKind } & Readonly<
  Record<NotificationChannel, boolean>
>;

export interface NotificationChoices {
  readonly choices: readonly NotificationChoice[];
}
