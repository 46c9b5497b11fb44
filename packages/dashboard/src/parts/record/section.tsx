import { Paper, Title } from '@mantine/core';
import { type ReactNode, type ToggleEventHandler, useId } from 'react';
import classes from './record.module.css';

interface Props {
  readonly title: string;
  /** Whether the section starts collapsed. */
  readonly isCollapsed?: boolean;
  /** Called when a collapsed section is opened or closed. */
  readonly onToggle?: ToggleEventHandler<HTMLDetailsElement>;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading. */
export function Section({ title, isCollapsed, onToggle, actions, children }: Props) {
  const id = useId();
  if (isCollapsed) {
    return (
      <Paper withBorder p="md" component="details" onToggle={onToggle}>
        <summary className={classes.summary}>{title}</summary>
        {children}
      </Paper>
    );
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <div className={classes.sectionHead}>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {actions}
      </div>
      {children}
    </Paper>
  );
}
