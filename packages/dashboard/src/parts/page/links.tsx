import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Parameters } from '../../api/queries.ts';
import { useMaybeScope } from '../../api/scope.ts';

interface Target {
  /** A path of the merchant and mode that are shown, `payments`; or with a slash before it one of the application, `/account`. */
  readonly to: string;
  readonly search?: Parameters;
  readonly children: ReactNode;
}

/** The whole address below `/dashboard` for a path of the current merchant and mode. */
export function useAddress(): (to: string) => string {
  const scope = useMaybeScope();
  return (to) => {
    if (to.startsWith('/') || !scope) return to.startsWith('/') ? to : `/${to}`;
    return `/${scope.merchant}/${scope.mode}${to && `/${to}`}`;
  };
}

/** A link within the merchant and mode that are shown. */
export function ScopedLink({
  to,
  search,
  children,
  ...props
}: Target & AnchorProps & { readonly 'aria-label'?: string }) {
  const address = useAddress();
  return (
    <Anchor
      component={Link}
      fz="inherit"
      to={address(to)}
      search={(search ?? {}) as never}
      {...props}
    >
      {children}
    </Anchor>
  );
}

/** The same, as a button looks. */
export function LinkButton({ to, search, children, ...props }: Target & ButtonProps) {
  const address = useAddress();
  return (
    <Button component={Link} to={address(to)} search={(search ?? {}) as never} {...props}>
      {children}
    </Button>
  );
}

/** Goes to a path of the current merchant and mode, or to one of the application. */
export function useGo(): (to: string, search?: Parameters) => void {
  const navigate = useNavigate();
  const address = useAddress();
  return (to, search = {}) => void navigate({ to: address(to), search });
}
