import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import type { ClientLimits } from './limits.ts';
import type { RouterMetrics } from './metrics.ts';

interface SlowClientsOptions {
  readonly limits: ClientLimits;
  readonly metrics: Pick<RouterMetrics, 'countRefusal'>;
}

/** Moves bodies between clients and a cell, and ends exchanges that exceed the limits of clients. */
export interface Delivery {
  /** Sends a body that is still arriving. */
  send(cell: string, reply: FastifyReply, sent: ClientRequest): void;
  /** Sends the body of an answer, whose head is written. Returns when it is complete or its connection has ended. */
  answer(cell: string, reply: FastifyReply, answer: IncomingMessage): Promise<void>;
}

export function createDelivery({ limits, metrics }: SlowClientsOptions): Delivery {
  const slow = createSlowClients(limits);
  const createCut =
    ({ raw: response }: FastifyReply) =>
    (): void => {
      if (response.destroyed) return;
      metrics.countRefusal('slow');
      response.destroy();
    };
  return {
    send(cell, reply, sent) {
      const { raw } = reply.request;
      const cut = createCut(reply);
      const end = (): void => slow.delete(cell, cut);
      slow.add(cell, cut);
      raw.once('end', end);
      reply.raw.once('close', end);
      raw.pipe(sent);
    },
    async answer(cell, reply, answer) {
      const { raw: response } = reply;
      const cut = createCut(reply);
      response.setTimeout(limits.stall_ms, cut);
      const timer = setTimeout(cut, limits.delivery_ms);
      // An answer pauses while its client does not take it.
      answer.on('pause', () => response.destroyed || slow.add(cell, cut));
      response.once('close', () => {
        clearTimeout(timer);
        slow.delete(cell, cut);
      });
      // A connection that breaks in the middle of a body breaks on both sides.
      await pipeline(answer, response).catch(() => response.destroy());
    },
  };
}

/** Ends an exchange of a slow client. */
type Cut = () => void;

/** Exchanges of each cell that wait for their clients, the oldest first. */
function createSlowClients({ slow_max, slow_ms }: Pick<ClientLimits, 'slow_max' | 'slow_ms'>) {
  const waiting = new Map<string, Map<Cut, number>>();
  return {
    /** Adds an exchange. Ends the oldest one beyond the limit: clients that read a little at a time keep their age. */
    add(cell: string, cut: Cut): void {
      const ofCell = waiting.get(cell) ?? new Map<Cut, number>();
      waiting.set(cell, ofCell);
      if (ofCell.has(cut)) return;
      ofCell.set(cut, performance.now());
      const [oldest] = ofCell;
      if (ofCell.size <= slow_max || !oldest) return;
      const [cutOldest, since] = oldest;
      if (performance.now() - since < slow_ms) return;
      ofCell.delete(cutOldest);
      cutOldest();
    },
    delete: (cell: string, cut: Cut): void => void waiting.get(cell)?.delete(cut),
  };
}
