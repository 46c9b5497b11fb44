/// <reference path="./pg-internals.d.ts" />
import { KEEP_ALIVES } from '@florin/contract/database/connections.ts';
import { createHosts, tryHosts } from '@florin/contract/database/hosts.ts';
import type pg from 'pg';
import { type Db, searchPathOf } from '../db.ts';
import { createHostClient } from './host-client.ts';
import { queryRows } from './row-query.ts';

/** One connection, whose statements may take long and may be a COPY. */
export interface CopySession extends Db, AsyncDisposable {
  readonly client: pg.Client;
}

const CONNECT_MS = 10_000;
/** Longest statement, and longest wait of one connection for the other one. */
const STATEMENT_MS = 3_600_000;
/** Rows of both databases have the same text with these settings. */
const SESSION = `-c jit=off -c TimeZone=UTC -c DateStyle=ISO -c bytea_output=hex -c extra_float_digits=1
  -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=${STATEMENT_MS} ${KEEP_ALIVES}`;

/** Connects to a database for COPY. */
export async function openCopySession(url: string): Promise<CopySession> {
  const hosts = createHosts(url);
  const connect = async () => {
    const client = createHostClient(hosts, {
      application_name: 'florin move',
      connectionTimeoutMillis: CONNECT_MS,
      options: `${searchPathOf(hosts)} ${SESSION.replace(/\s+/g, ' ')}`,
      keepAlive: true,
    });
    // A broken connection already fails its statement. Without a listener the process would end.
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const client = await tryHosts(hosts, connect);
  return {
    client,
    query: async (text, values) => (await queryRows(client, { text, values })).rows,
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => {});
    },
  };
}

/** The part of pg's connection that a COPY uses. */
interface WireConnection {
  readonly stream: NodeJS.ReadWriteStream & { readonly writableNeedDrain: boolean };
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** A COPY as pg's client runs it, which calls the methods. */
abstract class CopyQuery {
  readonly text: string;
  /** pg's client wraps it where it has a timeout of its own. */
  callback: (error: Error | null) => void = () => {};
  readonly done: Promise<void>;
  rows_count = 0;

  constructor(text: string) {
    this.text = text;
    this.done = new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve());
    });
    // The caller may wait for the other connection first.
    this.done.catch(() => {});
  }

  submit(connection: WireConnection): null {
    connection.query(this.text);
    return null;
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.rows_count = Number(/\d+$/.exec(text)?.[0]);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  abstract handleCopyInResponse(connection: WireConnection): void;
  abstract handleCopyData(message: { readonly chunk: Buffer }, connection: WireConnection): void;
}

class CopyIn extends CopyQuery {
  readonly ready: Promise<WireConnection>;
  readonly #begin: (connection: WireConnection) => void;

  constructor(text: string) {
    super(text);
    const { promise, resolve, reject } = Promise.withResolvers<WireConnection>();
    this.ready = promise;
    this.#begin = resolve;
    this.done.catch(reject);
    promise.catch(() => {});
  }

  handleCopyInResponse(connection: WireConnection): void {
    this.#begin(connection);
  }

  handleCopyData(): void {}
}

/** Bytes of rows that travel in one message: PostgreSQL sends a message for each row. */
const MESSAGE_BYTES = 64 * 1024;

class CopyOut extends CopyQuery {
  readonly #target: WireConnection;
  #rows: Buffer[] = [];
  #bytes = 0;
  #isPaused = false;

  constructor(text: string, target: WireConnection) {
    super(text);
    this.#target = target;
  }

  handleCopyInResponse(connection: WireConnection): void {
    connection.sendCopyFail('COPY to the client was expected');
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: WireConnection): void {
    // The parser may use the bytes again for the next message.
    this.#rows.push(Buffer.from(chunk));
    this.#bytes += chunk.length;
    if (this.#bytes >= MESSAGE_BYTES) this.#pass(stream);
  }

  override handleCommandComplete(message: { readonly text: string }): void {
    super.handleCommandComplete(message);
    this.#pass();
  }

  /** A target that is slower than the source stops it, so that the rows never fill the memory. */
  #pass(source?: NodeJS.ReadableStream): void {
    const { stream: sink } = this.#target;
    if (this.#bytes > 0) this.#target.sendCopyFromChunk(Buffer.concat(this.#rows));
    [this.#rows, this.#bytes] = [[], 0];
    if (!source || this.#isPaused || !sink.writableNeedDrain) return;
    this.#isPaused = true;
    source.pause();
    sink.once('drain', () => {
      this.#isPaused = false;
      source.resume();
    });
  }
}

/** Copies the rows of a query into a table of another database. Resolves with their number. */
export async function copyRows(
  source: CopySession,
  query: string,
  target: CopySession,
  table: string,
): Promise<number> {
  const copyIn = new CopyIn(`copy ${table} from stdin`);
  target.client.query(copyIn);
  const connection = await copyIn.ready;
  const copyOut = new CopyOut(`copy (${query}) to stdout`, connection);
  source.client.query(copyOut);
  try {
    // A target that refuses rows ends the wait: its error is the cause.
    await Promise.race([copyOut.done, copyIn.done.then(() => copyOut.done)]);
    connection.endCopyFrom();
  } catch (error) {
    connection.sendCopyFail('the source failed');
    await copyIn.done.catch(() => {});
    throw error;
  }
  await copyIn.done;
  return copyIn.rows_count;
}
