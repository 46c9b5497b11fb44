import { OTHER_PARTS, OWN_PARTS, type ProcessorTime } from './processor-time.ts';
import { PGBENCH, REFERENCE } from './reference-rows.ts';
import type { Figures, ProcessorTimes } from './results.ts';
import type { Row } from './row.ts';
import { median, renderTable, roundText } from './table.ts';

/** Table of the medians, with the ratio to each row's baseline, and to pgbench where that is the reference. */
export function renderFigures(rows: readonly Row[], figures: Figures): string {
  const lines = rows.filter(isShown(figures)).map((row) => lineOf(row, figures));
  const headers = ['row', 'median', 'spread', 'unit', 'ratio', 'to pgbench', 'first target, goal'];
  return renderTable(headers, lines);
}

function lineOf({ name, unit, baseline, target }: Row, figures: Figures): string[] {
  const rowFigures = figures.get(name) ?? [];
  if (rowFigures.length === 0) return [name, '', '', 'not installed'];
  const medianOf = (other: string): number => median(figures.get(other) ?? []);
  const ratioTo = (other: string): string => ratioText(medianOf(name), medianOf(other));
  const ratio = baseline ? ratioTo(baseline) : '';
  const toPgbench = baseline === REFERENCE && name !== PGBENCH ? ratioTo(PGBENCH) : '';
  return [name, roundText(medianOf(name)), spreadOf(rowFigures), unit, ratio, toPgbench, target];
}

/** A benchmark has a line if it was measured, or if this machine lacks its program. */
const isShown =
  (figures: Figures) =>
  ({ name, isInstalled }: Row): boolean =>
    (figures.get(name)?.length ?? 0) > 0 || isInstalled?.() === false;

const ratioText = (figure: number, other: number): string =>
  Number.isFinite(figure / other) ? (figure / other).toFixed(2) : '';

const spreadOf = (figures: readonly number[]): string =>
  `${roundText(Math.min(...figures))}–${roundText(Math.max(...figures))}`;

/** Table of processor time per operation, medians in milliseconds; undefined if no benchmark measured it. */
export function renderProcessorTimes(times: ProcessorTimes): string | undefined {
  if (times.size === 0) return undefined;
  const lines = [...times].map(([name, rounds]) => {
    const timeOf = (...parts: readonly (keyof ProcessorTime)[]): string => {
      const sums = rounds.map((round) => parts.reduce((sum, part) => sum + round[part], 0));
      return median(sums).toFixed(3);
    };
    const each = (parts: readonly (keyof ProcessorTime)[]) => parts.map((part) => timeOf(part));
    return [name, ...each(OWN_PARTS), timeOf(...OWN_PARTS), ...each(OTHER_PARTS)];
  });
  return renderTable(['row', ...OWN_PARTS, 'these three', ...OTHER_PARTS], lines);
}
