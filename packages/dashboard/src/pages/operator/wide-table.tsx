import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  /** Name of the table for screen readers. */
  readonly label: string;
  /** Width in pixels below which the table scrolls horizontally. */
  readonly minWidth: number;
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

/** A table that scrolls horizontally on narrow screens, also with the keyboard. */
export const WideTable = ({ label, minWidth, columns, children }: Props) => (
  <Table.ScrollContainer
    minWidth={minWidth}
    scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': label } }}
  >
    <Table aria-label={label} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          {columns.map((title) => (
            <Table.Th key={title} scope="col">
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
