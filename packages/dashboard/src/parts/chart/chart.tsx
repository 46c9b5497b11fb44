import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTexts } from '../../i18n/use-texts.ts';
import { SimpleTable } from '../table/simple-table.tsx';
import classes from './chart.module.css';
import { Drawing, type DrawPoints, drawBars, drawLine } from './drawing.tsx';
import type { Point } from './scale.ts';

interface Props {
  /** Name of the chart for screen readers, and title of the table. */
  readonly title: string;
  readonly points: readonly Point[];
  /** Formats a value, as an amount or a percentage. */
  readonly format: (value: number) => string;
  /** Column heads of the table, such as `Day` and `Volume`. */
  readonly heads: readonly [string, string];
}

/** One bar per point, with a table as the alternative. */
export const BarChart = (props: Props) => <Chart {...props} draw={drawBars} />;

/** A line over all points, with a table as the alternative. */
export const LineChart = (props: Props) => <Chart {...props} draw={drawLine} />;

function Chart({ title, points, format, heads, draw }: Props & { readonly draw: DrawPoints }) {
  const t = useTexts('common');
  const [asTable, { toggle }] = useDisclosure(false);
  return (
    <figure className={classes.figure} aria-label={title}>
      <figcaption className={classes.caption}>
        {title}
        <Button
          size="compact-xs"
          variant="subtle"
          flex="none"
          onClick={toggle}
          aria-label={`${t(asTable ? 'show_chart' : 'show_table')}: ${title}`}
        >
          {t(asTable ? 'show_chart' : 'show_table')}
        </Button>
      </figcaption>
      {asTable ? (
        <PointTable title={title} points={points} format={format} heads={heads} />
      ) : (
        <Drawing title={title} points={points} format={format} draw={draw} />
      )}
    </figure>
  );
}

function PointTable({ title, points, format, heads }: Props) {
  const rows = points.map(({ label, value }) => ({ key: label, cells: [label, format(value)] }));
  return <SimpleTable label={title} heads={heads} rows={rows} />;
}
