import type { ReactNode } from 'react';
import { ChoiceBar } from '../form/choice-bar.tsx';
import classes from './view-choice.module.css';

interface Props<V extends string> {
  readonly label: string;
  readonly shown: V;
  readonly views: readonly { readonly value: V; readonly label: ReactNode }[];
  readonly choose: (view: V) => void;
}

/** Switch between named views of a list. */
export function ViewChoice<V extends string>({ label, shown, views, choose }: Props<V>) {
  return (
    <div className={classes.views}>
      <ChoiceBar
        label={label}
        value={shown}
        onChange={(value) => choose(value as V)}
        data={[...views]}
      />
    </div>
  );
}
