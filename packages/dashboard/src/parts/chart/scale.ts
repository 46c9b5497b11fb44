export interface Point {
  /** Label on the horizontal axis: a day, a reason. */
  readonly label: string;
  readonly value: number;
}

/** Pixels of a chart. */
export const HEIGHT = 206;
const BOTTOM = 28;
const TOP = 6;
/** Width before the container is measured. */
const WIDTH_USUAL = 640;
/** Room of a character on the axis, and of a label below it. */
const CHARACTER_WIDTH = 6.5;
const LABEL_WIDTH = 72;
const LEFT_GAP = 10;
/** Half of the last label. */
const RIGHT_GAP = 18;

/** Places of points and axes. */
export interface Area {
  readonly width: number;
  readonly left: number;
  /** Width of one point's place. */
  readonly step: number;
  readonly labels_max: number;
  x(index: number): number;
  y(value: number): number;
}

interface AreaOptions {
  /** Width of the container; 0 before it is measured. */
  readonly width: number;
  readonly max: number;
  /** Number of points. */
  readonly count: number;
  /** Texts of the vertical axis. */
  readonly texts: readonly string[];
}

/** Leaves room for the longest text of the vertical axis. */
export function areaOf({ width: measured, max, count, texts }: AreaOptions): Area {
  const width = Math.round(measured) || WIDTH_USUAL;
  const left = Math.max(...texts.map(({ length }) => length)) * CHARACTER_WIDTH + LEFT_GAP;
  const room = width - left - RIGHT_GAP;
  const step = room / Math.max(count, 1);
  return {
    width,
    left,
    step,
    labels_max: Math.max(1, Math.floor(room / LABEL_WIDTH)),
    x: (index) => left + step * (index + 0.5),
    y: (value) => (HEIGHT - BOTTOM) * (1 - value / max) + TOP,
  };
}

/** Rounds up to a number that divides into readable steps. */
export function roundMax(largest: number): number {
  if (largest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = ROUND_STEPS.find((it) => it * power >= largest) ?? 10;
  return step * power;
}

const ROUND_STEPS = [1, 2, 2.5, 5, 10] as const;

/** Axis values from zero to `max` in equal parts. */
export const ticksOf = (max: number, parts = 4): readonly number[] =>
  Array.from({ length: parts + 1 }, (_tick, index) => (max / parts) * index);

/** Returns the label interval that keeps labels from overlapping. */
export const everyNth = (count: number, labelsMax: number): number =>
  Math.max(1, Math.ceil(count / labelsMax));
