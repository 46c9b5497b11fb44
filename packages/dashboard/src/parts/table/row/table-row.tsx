import { Anchor, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { RecordOf, ResourceType } from '../../../api/types.ts';
import { useAddress, useGo } from '../../page/links.tsx';
import { InLink } from '../../value/in-link.ts';
import type { Column, RelatedRecord } from '../column.ts';
import { SelectCell } from '../select-cells.tsx';
import type { Selection } from '../selection.ts';
import classes from '../table.module.css';
import type { RowName } from './row-name.ts';

interface Props<T extends ResourceType> {
  readonly index: number;
  readonly columns: readonly Column<T>[];
  readonly record: RecordOf<T>;
  readonly related: RelatedRecord;
  readonly to: string;
  readonly rowName?: RowName<T> | undefined;
  readonly selection?: Selection | undefined;
  /** Whether the row is the Tab stop of the table. */
  readonly isStop: boolean;
  readonly onFocus: (index: number) => void;
}

/** A row whose first cell links to the record. A mouse click anywhere in the row follows the link. */
export function TableRow<T extends ResourceType>(props: Props<T>) {
  const { index, columns, record, related, to, isStop, selection, rowName } = props;
  const name = rowName?.nameOf(record, related) ?? '';
  const go = useGo();
  const open = (event: MouseEvent<HTMLElement>) => {
    const isOwn = (event.target as HTMLElement).closest('a, button, [data-own]');
    if (!isOwn && getSelection()?.isCollapsed !== false) go(to);
  };
  return (
    <tr data-index={index} aria-rowindex={index + 2} className={classes.row} onClick={open}>
      {selection && (
        <SelectCell
          selection={selection}
          id={record.id}
          name={name || String(index + 1)}
          isStop={isStop}
        />
      )}
      {columns.map(({ key, numeric, isCut, cell }, columnIndex) => (
        <td key={key} data-numeric={numeric ?? false} data-cut={isCut ?? false}>
          {columnIndex === 0 ? <RowLink {...props} name={name} /> : cell(record, related)}
        </td>
      ))}
    </tr>
  );
}

/** The first cell. The accessible name contains the visible text, so that people can say what they see. */
function RowLink<T extends ResourceType>(props: Props<T> & { readonly name: string }) {
  const { index, columns, record, related, to, rowName, isStop, onFocus, name } = props;
  const address = useAddress();
  const [first] = columns;
  const isContained = Boolean(name) && rowName?.contains === first?.key;
  return (
    <Anchor
      component={Link}
      fz="inherit"
      to={address(to)}
      search={{} as never}
      tabIndex={isStop ? 0 : -1}
      onFocus={() => onFocus(index)}
      {...(isContained && { 'aria-label': name })}
    >
      <InLink value>{first?.cell(record, related)}</InLink>
      {name && !isContained && (
        <VisuallyHidden className={classes.unselectable ?? ''}>, {name}</VisuallyHidden>
      )}
    </Anchor>
  );
}
