import { Text } from '@mantine/core';
import { useEventName } from '../../i18n/use-event-name.ts';
import classes from './value.module.css';

interface Props {
  /** Event code or wildcard: `transaction.payment_demands.succeeded`. */
  readonly code: string;
  /** Whether the code is below the meaning, for table cells and links. */
  readonly isStacked?: boolean;
}

/** The meaning of an event, with its code for developers. */
export function EventName({ code, isStacked }: Props) {
  const nameOf = useEventName();
  return (
    <>
      {nameOf(code)} <EventCode code={code} {...(isStacked && { isStacked })} />
    </>
  );
}

/** An event code in small print beside or below its meaning. */
export function EventCode({ code, isStacked }: Props) {
  return (
    <Text
      span
      c="dimmed"
      size="xs"
      className={classes.code ?? ''}
      {...(isStacked && { display: 'block' })}
    >
      {code}
    </Text>
  );
}

interface NamesProps {
  readonly codes: readonly string[];
  /** Whether to show a single line without codes, for table cells. */
  readonly compact?: boolean;
}

/** Events with their codes, one a line. */
export function EventNames({ codes, compact }: NamesProps) {
  const nameOf = useEventName();
  if (compact) return codes.map(nameOf).join(', ');
  return (
    <ul className={classes.list}>
      {codes.map((code) => (
        <li key={code}>
          <EventName code={code} />
        </li>
      ))}
    </ul>
  );
}
