import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { metricOptions } from '../../http/health/metrics.ts';
import type { LookupOutcome } from './find-cell.ts';

/** How a request ended: `down`: the cell did not answer; `cut`: its connection ended before the answer. */
export type ExchangeOutcome = 'answered' | 'failed' | 'down' | 'cut' | 'refused';

/** Exceeded limit: connections; requests of one address; slow clients; requests that wait for a cell. */
export type RefusalReason = 'connections' | 'address' | 'slow' | 'cell';

/** Metrics of a router. */
export interface RouterMetrics {
  observeAnswer(cell: string, duration_s: number): void;
  observeExchange(
    outcome: ExchangeOutcome,
    facts: { cell: string; own_ms?: number | undefined },
  ): void;
  countRefusal(reason: RefusalReason): void;
  countLookup(outcome: LookupOutcome): void;
}

const MS = 1_000;
const OWN_BUCKETS_S = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5];
const ANSWER_BUCKETS_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30];
const REASONS: readonly RefusalReason[] = ['connections', 'address', 'slow', 'cell'];
const LOOKUPS: readonly LookupOutcome[] = ['found', 'unknown', 'failed'];

export function createRouterMetrics(register: Registry): RouterMetrics {
  const registers = [register];
  const requests = new Counter({ ...metricOptions('florin_router_requests_total'), registers });
  const refused = new Counter({ ...metricOptions('florin_router_refused_total'), registers });
  for (const reason of REASONS) refused.inc({ reason }, 0);
  const lookups = new Counter({ ...metricOptions('florin_router_lookups_total'), registers });
  for (const outcome of LOOKUPS) lookups.inc({ outcome }, 0);
  const own = new Histogram({
    ...metricOptions('florin_router_own_seconds'),
    registers,
    buckets: OWN_BUCKETS_S,
  });
  const answers = new Histogram({
    ...metricOptions('florin_router_answer_seconds'),
    registers,
    buckets: ANSWER_BUCKETS_S,
  });
  return {
    observeAnswer: (cell, duration_s) => answers.observe({ cell }, duration_s),
    observeExchange(outcome, { cell, own_ms }) {
      requests.inc({ cell, outcome });
      if (own_ms !== undefined) own.observe(own_ms / MS);
    },
    countRefusal: (reason) => refused.inc({ reason }),
    countLookup: (outcome) => lookups.inc({ outcome }),
  };
}

/** Connections to a cell, and requests that wait for one. */
export type CellConnections = Readonly<Record<'in_use' | 'idle' | 'waiting', number>>;

interface GaugeSources<Cell extends { readonly name: string }> {
  readonly cells: readonly Cell[];
  readonly isReady: (cell: Cell) => boolean;
  readonly connectionsOf: (cell: Cell) => CellConnections;
  /** Open connections of clients. */
  readonly countClients: () => Promise<number>;
}

/** Registers what a router knows of its cells and clients at the time of a query. */
export function registerRouterGauges<Cell extends { readonly name: string }>(
  register: Registry,
  { cells, isReady, connectionsOf, countClients }: GaugeSources<Cell>,
): void {
  const registers = [register];
  new Gauge({
    ...metricOptions('florin_router_cell_ready'),
    registers,
    collect() {
      for (const cell of cells) this.set({ cell: cell.name }, isReady(cell) ? 1 : 0);
    },
  });
  new Gauge({
    ...metricOptions('florin_router_cell_connections'),
    registers,
    collect() {
      for (const cell of cells)
        for (const [state, count] of Object.entries(connectionsOf(cell)))
          this.set({ cell: cell.name, state }, count);
    },
  });
  new Gauge({
    ...metricOptions('florin_router_client_connections'),
    registers,
    async collect() {
      this.set(await countClients());
    },
  });
}
