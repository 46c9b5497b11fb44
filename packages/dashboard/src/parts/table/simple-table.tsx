import type { ReactNode } from 'react';
import classes from './simple-table.module.css';

interface Props {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly heads: readonly string[];
  /** Index of the first column of numbers. This and the following columns are aligned right. */
  readonly numbersFrom?: number;
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/** A small static table. Mantine's table includes a scroll area and has ten times the size. */
export function SimpleTable({ label, heads, rows, numbersFrom = heads.length }: Props) {
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {heads.map((head, index) => (
            <th key={head} scope="col" data-number={index >= numbersFrom || undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              <td key={heads[index]} data-number={index >= numbersFrom || undefined}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
