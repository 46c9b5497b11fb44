import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openBooks } from './books.ts';
import { type FaultOf, faultOfAmount } from './faults.ts';
import { closeServer, httpServer } from './http.ts';
import { createNetwork } from './network.ts';

export interface SimulatorConfig {
  /** Where the books are kept; one simulator at a time. */
  readonly dataDir: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Default: loopback only. */
  readonly host?: string;
  readonly faults?: FaultOf;
  readonly now?: () => Date;
}

export interface Simulator extends AsyncDisposable {
  readonly url: string;
}

const LOOPBACK = '127.0.0.1';

/** Starts a card network for the sandbox; it answers when the promise is there, and stops when disposed. */
export async function createSimulator(config: SimulatorConfig): Promise<Simulator> {
  const { dataDir, port, host = LOOPBACK, faults = faultOfAmount, now = () => new Date() } = config;
  const books = openBooks(dataDir);
  const closing = new AbortController();
  const server = httpServer(
    createNetwork({ books, faultOf: faults, now, closing: closing.signal }),
  );
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    books[Symbol.dispose]();
    throw error;
  }
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${taken}`,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await closeServer(server);
      books[Symbol.dispose]();
    },
  };
}
