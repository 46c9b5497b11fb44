/** Milliseconds of an action, one for each round. NaN: the action failed. */
export interface Figure {
  readonly name: string;
  readonly values: number[];
}

/** Median, in milliseconds; NaN if a round failed. */
export function medianOf(values: readonly number[]): number {
  if (values.length === 0 || values.some(Number.isNaN)) return Number.NaN;
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const cell = (ms: number): string => (Number.isNaN(ms) ? 'failed' : `${ms.toFixed(0)} ms`);

/** Table of actions with their medians on this processor, and on one that is slowed down. */
export function renderFigures(plain: readonly Figure[], slow: readonly Figure[]): string {
  const lines = plain.map(({ name, values }, index) => {
    const slowed = slow[index]?.values ?? [];
    return `| ${name} | ${cell(medianOf(values))} | ${cell(medianOf(slowed))} |`;
  });
  return ['| action | this processor | four times slower |', '|---|---|---|', ...lines].join('\n');
}
