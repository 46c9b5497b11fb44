import type { ReactNode } from 'react';
import classes from './record.module.css';

interface Pair {
  readonly key: string;
  readonly term: ReactNode;
  readonly value: ReactNode;
}

/** Names and values, side by side on wide screens. */
export function DefinitionPairs({ pairs }: { readonly pairs: readonly Pair[] }) {
  return (
    <dl className={classes.pairs}>
      {pairs.map(({ key, term, value }) => (
        <div key={key} className={classes.pair}>
          <dt className={classes.term}>{term}</dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
