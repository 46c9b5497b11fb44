import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import type { Selection } from './selection.ts';
import classes from './table.module.css';

interface HeadProps {
  readonly selection: Selection;
  /** Ids of the rows in memory. */
  readonly ids: readonly string[];
}

/** Chooses the rows in memory up to the limit, or none. */
export function SelectAllCell({ selection, ids }: HeadProps) {
  const t = useTexts('records');
  const box = useRef<HTMLInputElement>(null);
  const count = selection.ids.size;
  const isWhole = count > 0 && count >= Math.min(ids.length, selection.max);
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && !isWhole;
  }, [count, isWhole]);
  return (
    <th scope="col">
      <input
        ref={box}
        type="checkbox"
        className={classes.select}
        aria-label={t('select_all', { max: selection.max })}
        checked={isWhole}
        onChange={() => (isWhole ? selection.clear() : selection.add(ids))}
      />
    </th>
  );
}

interface RowProps {
  readonly selection: Selection;
  readonly id: string;
  /** Name of the record. */
  readonly name: string;
  /** Whether the row is the Tab stop of the table. */
  readonly isStop: boolean;
}

/** Chooses one row. */
export function SelectCell({ selection, id, name, isStop }: RowProps) {
  const t = useTexts('records');
  const isChosen = selection.ids.has(id);
  return (
    <td data-own>
      <input
        type="checkbox"
        className={classes.select}
        aria-label={t('select_row', { record: name })}
        tabIndex={isStop ? 0 : -1}
        checked={isChosen}
        disabled={!isChosen && selection.ids.size >= selection.max}
        onChange={() => selection.toggle(id)}
      />
    </td>
  );
}
