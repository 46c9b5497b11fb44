import { OWN_PARTS } from '../processor-time.ts';
import type { Measurement } from '../row.ts';
import { median, renderTable, roundText } from '../table.ts';

/** Payments of all cells in one round. */
export interface Total {
  readonly per_second: number;
  /** Processor time of servers, vaults and databases for each payment; NaN where the machine does not tell. */
  readonly own_ms: number;
}

/** Rounds with a number of cells. */
export interface CellsFigures {
  readonly count: number;
  readonly rounds: readonly Total[];
}

/** The same load in turns, directly and through a router. */
export interface HopRound {
  readonly direct: Total;
  readonly routed: Total;
  /** Processor time of the router for each payment, which is one request; NaN where the machine does not tell. */
  readonly router_ms: number;
}

/** Adds cells that were measured at the same time. */
export function totalOf(cells: readonly Measurement[]): Total {
  const operations = sum(cells.map((cell) => cell.operations ?? 0));
  const own_ms = sum(cells.map((cell) => ownTime(cell) * (cell.operations ?? 0)));
  return { per_second: sum(cells.map(({ figure }) => figure)), own_ms: own_ms / operations };
}

const ownTime = ({ processor_ms }: Measurement): number =>
  processor_ms ? sum(OWN_PARTS.map((part) => processor_ms[part])) : Number.NaN;

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Table of the medians, each beside the figure of one cell. */
export function renderCells(figures: readonly CellsFigures[]): string {
  const medians = figures.map(({ count, rounds }) => ({
    count,
    per_second: median(rounds.map(({ per_second }) => per_second)),
    own_ms: median(rounds.map(({ own_ms }) => own_ms)),
  }));
  const one = medians[0]?.per_second ?? Number.NaN;
  return renderTable(
    ['cells', 'payments/s', 'of one cell', 'processor ms a payment'],
    medians.map(({ count, per_second, own_ms }) => [
      String(count),
      roundText(per_second),
      (per_second / one).toFixed(2),
      roundText(own_ms),
    ]),
  );
}

/** Table of the medians with and without a router. */
export function renderHop(rounds: readonly HopRound[]): string {
  const direct = rounds.map((round) => round.direct);
  const routed = rounds.map((round) => round.routed);
  const perSecond = (totals: readonly Total[]): number =>
    median(totals.map(({ per_second }) => per_second));
  const rowOf = (way: string, totals: readonly Total[], router: string): string[] => [
    way,
    roundText(perSecond(totals)),
    (perSecond(totals) / perSecond(direct)).toFixed(2),
    roundText(median(totals.map(({ own_ms }) => own_ms))),
    router,
  ];
  return renderTable(
    ['way', 'payments/s', 'of direct', 'processor ms a payment', 'router ms a request'],
    [
      rowOf('direct', direct, ''),
      rowOf('router', routed, median(rounds.map(({ router_ms }) => router_ms)).toFixed(2)),
    ],
  );
}
