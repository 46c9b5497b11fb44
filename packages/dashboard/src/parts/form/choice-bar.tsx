import { type ReactNode, useId } from 'react';
import classes from './choice-bar.module.css';

interface Props {
  /** Name of the choice for screen readers. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly data: readonly (string | { readonly value: string; readonly label: ReactNode })[];
  readonly isVertical?: boolean;
  /** Whether the bar fills the width of its container. */
  readonly isWide?: boolean;
  readonly isSmall?: boolean;
}

/** A few radio buttons in a bar. Mantine's control measures the page to draw its buttons, this bar does not. */
export function ChoiceBar(props: Props) {
  const { label, value, onChange, data, isVertical = false, isWide = false, isSmall } = props;
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={classes.bar}
      data-vertical={isVertical}
      data-wide={isWide || isVertical}
      data-small={isSmall ?? false}
    >
      {data.map((it) => {
        const choice = typeof it === 'string' ? { value: it, label: it } : it;
        return (
          <label key={choice.value} className={classes.choice}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span>{choice.label}</span>
          </label>
        );
      })}
    </div>
  );
}
