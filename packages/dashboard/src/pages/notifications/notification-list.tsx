import {
  type MemberNotification,
  type MemberNotifications,
  notificationPath,
} from '@florin/contract/member-notifications.ts';
import { Button, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useDashboard, useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { useAddress } from '../../parts/page/links.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import classes from './notification-list.module.css';
import { useNotificationText } from './use-notification-text.ts';

interface Props {
  /** Number of shown notifications. Default: all that the server lists. */
  readonly max?: number;
  /** Called with the link that is followed. */
  readonly onOpen?: (within: Element) => void;
}

/** Marks one notification as read, or one and all earlier ones. */
type ReadNotifications = { readonly id: string } | { readonly up_to: string };

/** The latest notifications. Opening one marks it as read. */
export function NotificationList({ max = Number.POSITIVE_INFINITY, onOpen }: Props) {
  const t = useTexts('notifications');
  const { data, error, refetch } = useDashboard<MemberNotifications>('notifications');
  const read = useDashboardWrite<ReadNotifications>('notifications/read', 'POST');
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={4} />;
  const { notifications, unread } = data;
  const [newest] = notifications;
  if (!newest) return <EmptyState title={t('none')} hint={t('none_hint')} />;
  const follow = (notification: MemberNotification, within: Element) => {
    if (notification.read_at === null) read.mutate({ id: notification.id });
    onOpen?.(within);
  };
  return (
    <>
      {read.error && <ProblemAlert error={read.error} />}
      <ul className={classes.list}>
        {notifications.slice(0, max).map((notification) => (
          <li key={notification.id}>
            <Item notification={notification} onFollow={(within) => follow(notification, within)} />
          </li>
        ))}
      </ul>
      {unread > 0 && (
        <Button
          size="xs"
          variant="default"
          mt="xs"
          loading={read.isPending}
          onClick={() => read.mutate({ up_to: newest.id })}
        >
          {t('read_all')}
        </Button>
      )}
    </>
  );
}

interface ItemProps {
  readonly notification: MemberNotification;
  readonly onFollow: (within: Element) => void;
}

/** A link to the record. */
function Item({ notification, onFollow }: ItemProps) {
  const t = useTexts('notifications');
  const textOf = useNotificationText();
  const address = useAddress();
  const isUnread = notification.read_at === null;
  return (
    <Link
      to={address(notificationPath(notification.kind, notification.record_id))}
      className={classes.item ?? ''}
      data-unread={isUnread || undefined}
      onClick={({ currentTarget }) => onFollow(currentTarget)}
    >
      {isUnread && <VisuallyHidden>{t('unread')}: </VisuallyHidden>}
      <span className={classes.text}>{textOf(notification)}</span>
      <Text span size="xs" c="dimmed">
        <Instant at={notification.created_at} />
      </Text>
    </Link>
  );
}
