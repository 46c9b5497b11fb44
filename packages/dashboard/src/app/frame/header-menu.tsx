import { UnstyledButton } from '@mantine/core';
import { type ReactNode, type ToggleEvent, useId } from 'react';
import { NewWindowLink } from '../../parts/value/safe-link.tsx';
import classes from './header-menu.module.css';

interface Props {
  /** Name of the menu button for screen readers. */
  readonly label: string;
  /** Content of the menu button. */
  readonly target: ReactNode;
  /** Called whenever the menu opens. */
  readonly onOpen?: () => void;
  /** Whether the menu has room for sentences. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

const GAP_PX = 6;

/** A header button with its menu. The native popover closes on Escape and on a click elsewhere. */
export function HeaderMenu({ label, target, onOpen, isWide = false, children }: Props) {
  const id = useId();
  const onToggle = (event: ToggleEvent<HTMLDivElement>): void => {
    positionPanel(event);
    if (event.newState === 'open') onOpen?.();
  };
  return (
    <>
      <UnstyledButton popoverTarget={id} aria-label={label} className={classes.target ?? ''}>
        {target}
      </UnstyledButton>
      <div
        id={id}
        popover="auto"
        className={classes.panel}
        data-wide={isWide || undefined}
        onToggle={onToggle}
      >
        {children}
      </div>
    </>
  );
}

/** Positions the menu below its button and within the window. */
function positionPanel({ currentTarget: panel, newState }: ToggleEvent<HTMLDivElement>): void {
  const button = panel.previousElementSibling?.getBoundingClientRect();
  if (newState !== 'open' || !button) return;
  // The body is narrower than the window where room for a scroll bar is kept free.
  const rightmost = document.body.clientWidth - panel.offsetWidth - GAP_PX;
  panel.style.top = `${button.bottom + GAP_PX}px`;
  panel.style.left = `${Math.max(GAP_PX, Math.min(button.left, rightmost))}px`;
}

/** Closes the menu that contains an element. */
export const closeMenu = (within: Element): void =>
  within.closest<HTMLElement>('[popover]')?.hidePopover();

/** Heading of a part of a menu. */
export const MenuLabel = ({ children }: { readonly children: ReactNode }) => (
  <div className={classes.label}>{children}</div>
);

interface ItemProps {
  readonly onClick: () => void;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

export const MenuItem = ({ onClick, isCurrent = false, children }: ItemProps) => (
  <UnstyledButton
    className={classes.item ?? ''}
    {...(isCurrent && { 'aria-current': true })}
    onClick={({ currentTarget }) => {
      closeMenu(currentTarget);
      onClick();
    }}
  >
    {children}
  </UnstyledButton>
);

/** A menu item that opens an address outside the dashboard in a new window. */
export const MenuLink = ({
  href,
  children,
}: Pick<Props, 'children'> & { readonly href: string }) => (
  <NewWindowLink
    href={href}
    className={classes.item}
    onClick={({ currentTarget }) => closeMenu(currentTarget)}
  >
    {children}
  </NewWindowLink>
);
