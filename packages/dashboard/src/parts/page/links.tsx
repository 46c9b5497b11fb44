import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Parameters } from '../../api/queries.ts';
import { useMaybeScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';

interface Target {
  /**
   * A path of the current merchant and mode, such as `payments`, or an application path with a leading slash, such as
   * `/account`.
   */
  readonly to: string;
  readonly search?: Parameters;
  readonly children: ReactNode;
}

/** Returns a function that returns the full path below `/dashboard` for a path of the current scope. */
export function useAddress(): (to: string) => string {
  const scope = useMaybeScope();
  return (to) => {
    if (to.startsWith('/') || !scope) return to.startsWith('/') ? to : `/${to}`;
    return `/${scope.merchant}/${scope.mode}${to && `/${to}`}`;
  };
}

interface ScopedLinkProps extends Target, AnchorProps {
  readonly 'aria-label'?: string;
  /** Whether the link opens a new tab, and says so. */
  readonly isNewTab?: boolean;
}

/** A link within the current merchant and mode, or to an application path. */
export function ScopedLink({ to, search, children, isNewTab, ...props }: ScopedLinkProps) {
  const address = useAddress();
  const t = useTexts('common');
  return (
    <Anchor
      component={Link}
      fz="inherit"
      to={address(to)}
      search={(search ?? {}) as never}
      {...(isNewTab && { target: '_blank', rel: 'noopener', title: t('new_window') })}
      {...props}
    >
      {children}
    </Anchor>
  );
}

/** A `ScopedLink` with the look of a button. */
export function LinkButton({ to, search, children, ...props }: Target & ButtonProps) {
  const address = useAddress();
  return (
    <Button component={Link} to={address(to)} search={(search ?? {}) as never} {...props}>
      {children}
    </Button>
  );
}

/** Returns a function that navigates to a path of the current scope or of the application. */
export function useGo(): (to: string, search?: Parameters) => void {
  const navigate = useNavigate();
  const address = useAddress();
  return (to, search = {}) => void navigate({ to: address(to), search });
}
