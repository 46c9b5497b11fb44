import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  /** What the table is of, for who hears the page. */
  readonly label: string;
  /** Narrower than this it is scrolled by itself. */
  readonly minWidth: number;
  readonly columns: readonly string[];
  /** Its rows. */
  readonly children: ReactNode;
}

/** A table that scrolls by itself where there is little room, by the keyboard as well. */
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
