import type { FastifyReply, FastifyRequest } from 'fastify';

/** Facts of one request that a router passes on, for its metrics and its access log. */
export interface Exchange {
  /** Cell whose answer the client gets, or that did not answer; `all` for a list of all cells. */
  cell?: string;
  /** Whether that cell did not answer. */
  is_down?: boolean;
  /** Milliseconds in which at least one cell was asked, until the heads of the answers. */
  cell_ms: number;
  /** Milliseconds from the request to the head of the answer, without `cell_ms`. */
  own_ms?: number;
  asked: number;
  asked_since: number;
}

const exchanges = new WeakMap<FastifyRequest, Exchange>();

export function exchangeOf(request: FastifyRequest): Exchange {
  const known = exchanges.get(request);
  if (known) return known;
  const exchange: Exchange = { cell_ms: 0, asked: 0, asked_since: 0 };
  exchanges.set(request, exchange);
  return exchange;
}

/** Counts the time until the returned function is called. Times of cells that are asked together count once. */
export function askCell(exchange: Exchange): () => void {
  if (exchange.asked++ === 0) exchange.asked_since = performance.now();
  return () => {
    if (--exchange.asked === 0) exchange.cell_ms += performance.now() - exchange.asked_since;
  };
}

/** Notes that the head of the answer is sent now. */
export function noteAnswer(reply: FastifyReply, cell: string): void {
  const exchange = exchangeOf(reply.request);
  exchange.cell = cell;
  exchange.own_ms = Math.max(0, reply.elapsedTime - exchange.cell_ms);
}

/** Fields of a line of the access log. */
export const exchangeFacts = (request: FastifyRequest) => {
  const { cell, cell_ms } = exchangeOf(request);
  return cell === undefined ? {} : { cell, cell_ms: Math.round(cell_ms) };
};
