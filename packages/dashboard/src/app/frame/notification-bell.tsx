import { UNREAD_COUNTED_MAX, type UnreadCount } from '@florin/contract/member-notifications.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { dashboardQuery } from '../../api/queries.ts';
import { type CurrentScope, useMaybeScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ScopedLink, useGo } from '../../parts/page/links.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { useLiveFactor } from '../live-factor.tsx';
import { closeMenu, HeaderMenu, MenuItem } from './header-menu.tsx';
import classes from './notification-bell.module.css';
import { useIsActive } from './use-is-active.ts';

// Loaded on demand: the first page has no room for the list.
const NotificationList = lazy(() =>
  import('../../pages/notifications/notification-list.tsx').then((it) => ({
    default: it.NotificationList,
  })),
);

/** Milliseconds between two reads of the count. */
const POLL_MS = 60_000;
/** Number of notifications in the menu; their page has the others. */
const SHOWN_MAX = 8;

/** The member's unread notifications, in the header. A phone has a link in its navigation. */
export function NotificationBell() {
  const scope = useMaybeScope();
  const isNotified = useIsNotified(scope);
  return scope && isNotified ? <Bell key={scope.merchant + scope.mode} scope={scope} /> : null;
}

function Bell({ scope }: { readonly scope: CurrentScope }) {
  const t = useTexts('common');
  const go = useGo();
  const unread = useUnread(scope);
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <div className={classes.bell}>
      <HeaderMenu
        label={t('notifications_unread', { count: unread })}
        target={
          <>
            <Icon name="bell" />
            {unread !== '0' && <span className={classes.count}>{unread}</span>}
          </>
        }
        onOpen={() => setWasOpen(true)}
        isWide
      >
        {wasOpen && (
          <Suspense fallback={<Loading rows={4} />}>
            <NotificationList max={SHOWN_MAX} onOpen={closeMenu} />
          </Suspense>
        )}
        <MenuItem onClick={() => go('notifications')}>{t('notifications_all')}</MenuItem>
      </HeaderMenu>
    </div>
  );
}

/** Whether the person is a member in this mode, with the second factor that is due there. */
function useIsNotified(scope: CurrentScope | undefined): boolean {
  const isFactorDue = useLiveFactor(scope)?.is_due;
  if (!scope || scope.is_visit || isFactorDue) return false;
  return scope.permissions === 'all' || scope.permissions.length > 0;
}

/** Link in the navigation of a phone. */
export function PhoneNotifications() {
  const scope = useMaybeScope();
  const isNotified = useIsNotified(scope);
  return scope && isNotified ? <PhoneLink scope={scope} /> : null;
}

function PhoneLink({ scope }: { readonly scope: CurrentScope }) {
  const t = useTexts('common');
  const unread = useUnread(scope);
  return (
    <div className={classes.phone}>
      <ScopedLink to="notifications" className={classes.link ?? ''} c="inherit" fz="sm">
        <Icon name="bell" />
        {t('notifications')}
        {unread !== '0' && <span className={classes.count}>{unread}</span>}
      </ScopedLink>
    </div>
  );
}

/** Returns the number of unread notifications as it is shown: `3`, or `9+`. */
function useUnread(scope: CurrentScope): string {
  const isActive = useIsActive();
  const { data } = useQuery({
    ...dashboardQuery<UnreadCount>(scope, 'notifications/unread'),
    refetchInterval: isActive && POLL_MS,
  });
  const unread = data?.unread ?? 0;
  return unread > UNREAD_COUNTED_MAX ? `${UNREAD_COUNTED_MAX}+` : String(unread);
}
