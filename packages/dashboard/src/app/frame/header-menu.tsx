import { UnstyledButton } from '@mantine/core';
import { type ReactNode, type ToggleEvent, useId } from 'react';
import classes from './header-menu.module.css';

interface Props {
  /** What the button is for, to who hears the page. */
  readonly label: string;
  /** What the button shows. */
  readonly target: ReactNode;
  readonly children: ReactNode;
}

const GAP_PX = 6;

/** A button of the header and what it opens: the browser's own popover, which Escape and a press elsewhere close. */
export function HeaderMenu({ label, target, children }: Props) {
  const id = useId();
  return (
    <>
      <UnstyledButton popoverTarget={id} aria-label={label} className={classes.target ?? ''}>
        {target}
      </UnstyledButton>
      <div id={id} popover="auto" className={classes.panel} onToggle={place}>
        {children}
      </div>
    </>
  );
}

/** Below its button, and within the window. */
function place({ currentTarget: panel, newState }: ToggleEvent<HTMLDivElement>): void {
  const button = panel.previousElementSibling?.getBoundingClientRect();
  if (newState !== 'open' || !button) return;
  const rightmost = document.documentElement.clientWidth - panel.offsetWidth - GAP_PX;
  panel.style.top = `${button.bottom + GAP_PX}px`;
  panel.style.left = `${Math.max(GAP_PX, Math.min(button.left, rightmost))}px`;
}

/** Closes the menu that something is in: what was chosen there leads elsewhere. */
export const closeMenu = (within: Element): void =>
  within.closest<HTMLElement>('[popover]')?.hidePopover();

/** What stands over a part of a menu. */
export const MenuLabel = ({ children }: { readonly children: ReactNode }) => (
  <div className={classes.label}>{children}</div>
);

interface ItemProps {
  readonly onClick: () => void;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

/** Something that can be chosen in a menu. */
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
