import { Group, Title } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import classes from './page-title.module.css';
import { movesByKeys } from './uses-keys.ts';

/** Path of the last heading. A heading at another path takes the focus. */
let shownPath: string | undefined;
/** Whether the last heading had the focus. The next heading then takes the focus. */
let tookFocus = false;

interface Props {
  readonly title: string;
  /** Content beside the heading, such as a state. */
  readonly aside?: ReactNode;
  /** Buttons of the page. */
  readonly actions?: ReactNode;
}

/** The page's only `h1`. Sets the window title and takes the focus after navigation. */
export function PageTitle({ title, aside, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Florin`;
  }, [title]);
  useFocus(heading);
  return (
    <Group justify="space-between" align="center" mb="md" gap="sm">
      <Group gap="sm" align="center">
        <Title order={1} size="h2" ref={heading} tabIndex={-1} className={classes.heading ?? ''}>
          {title}
        </Title>
        {aside}
      </Group>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}

/**
 * Focuses the heading when the path changes, with a ring for people who move by keyboard, even on the same page. A heading replaced at the same path gets the
 * focus only if the old heading had the focus.
 */
function useFocus(heading: RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    const isOther = shownPath !== undefined && shownPath !== path;
    const isLost = tookFocus && document.activeElement === document.body;
    if (isOther || isLost) {
      heading.current?.setAttribute('data-ring', String(movesByKeys()));
      heading.current?.focus();
      tookFocus = true;
    }
    shownPath = path ?? shownPath;
  }, [heading, path]);
}
