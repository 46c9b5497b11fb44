import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './chart.module.css';
import { type Area, areaOf, everyNth, HEIGHT, type Point, roundMax, ticksOf } from './scale.ts';

/** Draws points. The text of a point names it and its value while the mouse is over it. */
export type DrawPoints = (
  points: readonly Point[],
  area: Area,
  textOf: (point: Point) => string,
) => ReactNode;

/** Share of its place that a bar fills. */
const BAR_SHARE = 0.7;
const BAR_WIDTH_MIN = 2;
const DOTS_MAX = 40;

export const drawBars: DrawPoints = (points, { x, y, step }, textOf) => {
  const width = Math.max(BAR_WIDTH_MIN, step * BAR_SHARE);
  return points.map((point, index) => (
    <rect
      key={point.label}
      className={classes.bar}
      x={x(index) - width / 2}
      y={y(point.value)}
      width={width}
      height={Math.max(0, y(0) - y(point.value))}
      rx={2}
    >
      <title>{textOf(point)}</title>
    </rect>
  ));
};

/** Draws dots as well: a line of a single point would be invisible. */
export const drawLine: DrawPoints = (points, { x, y }, textOf) => (
  <>
    <polyline
      className={classes.line}
      points={points.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ')}
    />
    {points.length <= DOTS_MAX &&
      points.map((point, index) => (
        <circle key={point.label} className={classes.bar} cx={x(index)} cy={y(point.value)} r={3}>
          <title>{textOf(point)}</title>
        </circle>
      ))}
  </>
);

interface Props {
  readonly title: string;
  readonly points: readonly Point[];
  readonly format: (value: number) => string;
  readonly draw: DrawPoints;
}

/** A drawing as wide as its container, so that its texts have the same size on each screen. */
export function Drawing({ title, points, format, draw }: Props) {
  const { ref, width } = useElementSize();
  const max = roundMax(Math.max(0, ...points.map(({ value }) => value)));
  const ticks = ticksOf(max).map((value) => ({ value, text: format(value) }));
  const area = areaOf({ width, max, count: points.length, texts: ticks.map(({ text }) => text) });
  return (
    <div ref={ref}>
      <svg
        viewBox={`0 0 ${area.width} ${HEIGHT}`}
        className={classes.drawing}
        role="img"
        aria-label={title}
      >
        {ticks.map((tick) => (
          <Tick key={tick.value} {...tick} area={area} />
        ))}
        {draw(points, area, ({ label, value }) => `${label}: ${format(value)}`)}
        <Labels points={points} area={area} />
      </svg>
    </div>
  );
}

interface TickProps {
  readonly value: number;
  readonly text: string;
  readonly area: Area;
}

const Tick = ({ value, text, area: { left, width, y } }: TickProps) => (
  <g>
    <line className={classes.grid} x1={left} x2={width} y1={y(value)} y2={y(value)} />
    <text className={classes.label} x={left - 6} y={y(value) + 4} textAnchor="end">
      {text}
    </text>
  </g>
);

const Labels = ({ points, area }: { readonly points: readonly Point[]; readonly area: Area }) => {
  const nth = everyNth(points.length, area.labels_max);
  return points.map(({ label }, index) =>
    index % nth === 0 ? (
      <text
        key={label}
        className={classes.label}
        x={area.x(index)}
        y={HEIGHT - 6}
        textAnchor="middle"
      >
        {label}
      </text>
    ) : null,
  );
};
