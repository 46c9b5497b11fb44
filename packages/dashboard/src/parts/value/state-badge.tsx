import { useNames } from '../../i18n/use-names.ts';
import classes from './state-badge.module.css';
import { type StateTone, toneOf } from './state-tone.ts';

const marks: Readonly<Record<StateTone, string>> = {
  good: '✓',
  busy: '…',
  attention: '!',
  bad: '✕',
  neutral: '–',
};

/** State of a record as word, mark and colour. */
export function StateBadge({
  state,
  tone = toneOf(state),
  label,
}: {
  readonly state: string;
  readonly tone?: StateTone;
  /** Instead of the state's name. */
  readonly label?: string;
}) {
  const names = useNames();
  return (
    <span className={classes.badge} data-tone={tone}>
      <span aria-hidden="true">{marks[tone]}</span> {label ?? names.value(state)}
    </span>
  );
}
