import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { RecordOf, ResourceType } from '../../api/types.ts';
import { useAddress, useGo } from '../page/links.tsx';
import type { Column, RelatedRecord } from './column.ts';
import { SelectCell } from './select-cells.tsx';
import type { Selection } from './selection.ts';
import classes from './table.module.css';

interface Props<T extends ResourceType> {
  readonly index: number;
  readonly columns: readonly Column<T>[];
  readonly record: RecordOf<T>;
  readonly related: RelatedRecord;
  readonly to: string;
  readonly selection?: Selection | undefined;
  /** Whether the row is the Tab stop of the table. */
  readonly isStop: boolean;
  readonly onFocus: (index: number) => void;
}

/** A row whose first cell links to the record. A mouse click anywhere in the row follows the link. */
export function TableRow<T extends ResourceType>(props: Props<T>) {
  const { index, columns, record, related, to, isStop, onFocus, selection } = props;
  const address = useAddress();
  const go = useGo();
  const open = (event: MouseEvent<HTMLElement>) => {
    const isOwn = (event.target as HTMLElement).closest('a, button, [data-own]');
    if (!isOwn && getSelection()?.isCollapsed !== false) go(to);
  };
  return (
    <tr data-index={index} aria-rowindex={index + 2} className={classes.row} onClick={open}>
      {selection && (
        <SelectCell selection={selection} id={record.id} index={index} isStop={isStop} />
      )}
      {columns.map(({ key, numeric, isCut, cell }, columnIndex) => (
        <td key={key} data-numeric={numeric ?? false} data-cut={isCut ?? false}>
          {columnIndex === 0 ? (
            <Anchor
              component={Link}
              fz="inherit"
              to={address(to)}
              search={{} as never}
              tabIndex={isStop ? 0 : -1}
              onFocus={() => onFocus(index)}
            >
              {cell(record, related)}
            </Anchor>
          ) : (
            cell(record, related)
          )}
        </td>
      ))}
    </tr>
  );
}
