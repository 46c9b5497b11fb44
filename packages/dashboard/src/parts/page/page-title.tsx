import { Group, Title } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import classes from './page-title.module.css';

/** The page whose heading was shown last: whoever comes from there hears the new heading. */
let shownPath: string | undefined;
/** Whether that heading took the focus, which goes with it where another one takes its place. */
let tookFocus = false;

interface Props {
  readonly title: string;
  /** What belongs beside the heading, such as a state. */
  readonly aside?: ReactNode;
  /** Buttons of the page. */
  readonly actions?: ReactNode;
}

/** The one heading of a page: names the window, and takes the focus when somebody has come from another page. */
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
 * Takes the focus where a page follows another one, and where its address changes without that it is made anew. A heading
 * that takes the place of another on the same page does so only if that had it: nothing is taken from who has gone on.
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
