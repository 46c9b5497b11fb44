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
