import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { SimpleTable } from '../table/simple-table.tsx';
import classes from './chart.module.css';
import { everyNth, roundMax, ticksOf } from './scale.ts';

export interface Point {
  /** Label on the horizontal axis: a day, a reason. */
  readonly label: string;
  readonly value: number;
}

interface Props {
  /** Name of the chart for screen readers, and title of the table. */
  readonly title: string;
  readonly points: readonly Point[];
  /** Formats a value, as an amount or a percentage. */
  readonly format: (value: number) => string;
  /** Column heads of the table, such as `Day` and `Volume`. */
  readonly heads: readonly [string, string];
}

const WIDTH = 640;
const HEIGHT = 200;
const LEFT = 64;
const BOTTOM = 22;
const LABELS_MAX = 8;

type DrawPoints = (
  points: readonly Point[],
  x: (index: number) => number,
  y: (value: number) => number,
) => ReactNode;

/** One bar per point, with a table as the alternative. */
export const BarChart = (props: Props) => <Chart {...props} draw={renderBars} />;

/** A line over all points, with a table as the alternative. */
export const LineChart = (props: Props) => <Chart {...props} draw={renderLine} />;

const renderBars: DrawPoints = (points, x, y) => {
  const width = Math.max(2, ((WIDTH - LEFT) / Math.max(points.length, 1)) * 0.7);
  return points.map(({ label, value }, index) => (
    <rect
      key={label}
      className={classes.bar}
      x={x(index) - width / 2}
      y={y(value)}
      width={width}
      height={Math.max(0, y(0) - y(value))}
      rx={2}
    >
      <title>{label}</title>
    </rect>
  ));
};

/** Draws dots as well: a line of a single point would be invisible. */
const renderLine: DrawPoints = (points, x, y) => (
  <>
    <polyline
      className={classes.line}
      points={points.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ')}
    />
    {points.length <= DOTS_MAX &&
      points.map(({ label, value }, index) => (
        <circle key={label} className={classes.bar} cx={x(index)} cy={y(value)} r={3} />
      ))}
  </>
);

const DOTS_MAX = 40;

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

function Drawing({
  title,
  points,
  format,
  draw,
}: Omit<Props, 'heads'> & { readonly draw: DrawPoints }) {
  const max = roundMax(Math.max(0, ...points.map(({ value }) => value)));
  const step = (WIDTH - LEFT) / Math.max(points.length, 1);
  const xOf = (index: number) => LEFT + step * (index + 0.5);
  const yOf = (value: number) => (HEIGHT - BOTTOM) * (1 - value / max) + 6;
  const nth = everyNth(points.length, LABELS_MAX);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT + 6}`}
      className={classes.drawing}
      role="img"
      aria-label={title}
    >
      {ticksOf(max).map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={LEFT} x2={WIDTH} y1={yOf(tick)} y2={yOf(tick)} />
          <text className={classes.label} x={LEFT - 6} y={yOf(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {draw(points, xOf, yOf)}
      {points.map(({ label }, index) =>
        index % nth === 0 ? (
          <text key={label} className={classes.label} x={xOf(index)} y={HEIGHT} textAnchor="middle">
            {label}
          </text>
        ) : null,
      )}
    </svg>
  );
}

function PointTable({ title, points, format, heads }: Props) {
  const rows = points.map(({ label, value }) => ({ key: label, cells: [label, format(value)] }));
  return <SimpleTable label={title} heads={heads} rows={rows} />;
}
