import { Group, Title } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import classes from './page-title.module.css';

/** Path of the last heading shown: a new page's heading is announced. */
let shownPath: string | undefined;
/** Whether that heading held the focus, which its replacement then takes. */
let tookFocus = false;

interface Props {
  readonly title: string;
  /** Shown beside the heading, such as a state. */
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
 * Takes the focus when a page follows another one, also when only its address changes. A heading replaced on the same
 * page passes the focus on only if it held it.
 */
function useFocus(heading: RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    const isOther = shownPath !== undefined && shownPath !== path;
    const isLost = tookFocus && document.activeElement === document.body;
    if (isOther || isLost) {
      heading.current?.focus();
      tookFocus = true;
    }
    shownPath = path ?? shownPath;
  }, [heading, path]);
}
