import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Instant } from '../value/instant.tsx';
import type { StateTone } from '../value/state-tone.ts';
import classes from './timeline.module.css';

export interface TimelineEntry {
  readonly key: string;
  /** Time of the event, as ISO 8601. */
  readonly at: string;
  readonly title: ReactNode;
  readonly tone?: StateTone;
  readonly children?: ReactNode;
}

/** A list of events in order of time. */
export function Timeline({
  entries,
  label,
  seconds = false,
}: {
  readonly entries: readonly TimelineEntry[];
  readonly label: string;
  /** Whether to show seconds. The title of a time always has them. */
  readonly seconds?: boolean;
}) {
  return (
    <ol className={classes.timeline} aria-label={label}>
      {entries.map(({ key, at, title, tone = 'neutral', children }) => (
        <li key={key} className={classes.entry} data-tone={tone}>
          <div className={classes.head}>
            <strong>{title}</strong>
            <Text span size="xs" c="dimmed">
              <Instant at={at} seconds={seconds} />
            </Text>
          </div>
          {children && (
            <Text size="sm" component="div">
              {children}
            </Text>
          )}
        </li>
      ))}
    </ol>
  );
}
