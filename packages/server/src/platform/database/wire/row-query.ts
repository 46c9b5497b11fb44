/// <reference path="./pg-internals.d.ts" />
import type pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import type { Row } from '../row.ts';
import { createRowShape, type RowShape } from './row-shape.ts';

/** Result of a statement. A text of several statements has the result of the last. */
export interface RowResult {
  readonly rows: Row[];
  /** PostgreSQL's command tag, such as `SELECT 3` or `ROLLBACK`. */
  readonly command: string;
}

export interface RowStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Name under which the connection prepares the statement. */
  readonly name?: string | undefined;
}

/** Runs a statement on a connection. Values that PostgreSQL sends stay text. */
export async function queryRows(
  client: pg.ClientBase,
  statement: RowStatement,
): Promise<RowResult> {
  try {
    return await new Promise((resolve, reject) => {
      client.query(
        new RowQuery(statement, (error, result) =>
          error ? reject(error) : resolve(result as RowResult),
        ),
      );
    });
  } catch (error) {
    // The stack of a message from the network does not show which statement failed.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/** The part of pg's connection that a query uses. */
interface WireConnection {
  /** Text of each prepared statement, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly stream: NodeJS.WritableStream;
}

/**
 * Columns of each connection's prepared statements, by name, which PostgreSQL describes once. PostgreSQL refuses a
 * statement whose columns have changed.
 */
const preparedShapes = new WeakMap<WireConnection, Map<string, RowShape>>();

function shapesOf(connection: WireConnection): Map<string, RowShape> {
  const shapes = preparedShapes.get(connection) ?? new Map();
  preparedShapes.set(connection, shapes);
  return shapes;
}

const withoutColumns = createRowShape([]);

/** A query as pg's client runs it, which calls the methods. */
class RowQuery {
  readonly text: string;
  readonly name: string | undefined;
  /** pg's client replaces it where it has a timeout of its own. */
  callback: (error: Error | null, result?: RowResult) => void;
  readonly #values: readonly unknown[];
  #shape: RowShape | undefined;
  #rows: Row[] = [];
  #command = '';

  constructor({ text, values, name }: RowStatement, callback: RowQuery['callback']) {
    this.text = text;
    this.name = name;
    this.callback = callback;
    this.#values = values;
  }

  submit(connection: WireConnection): Error | null {
    const preparedText = this.name && connection.parsedStatements[this.name];
    if (preparedText && preparedText !== this.text)
      return new Error(`The prepared statement ${this.name} has another text.`);
    try {
      connection.stream.write(this.#messages(connection, preparedText !== undefined));
      return null;
    } catch (error) {
      // A value that has no text. Nothing was sent.
      return error as Error;
    }
  }

  /** Whether the statement is one message. Others end with a sync. */
  get #isSimple(): boolean {
    return !this.name && this.#values.length === 0;
  }

  /** The messages of a statement, for one write to the socket. */
  #messages(connection: WireConnection, isPrepared: boolean): Buffer {
    const { name, text } = this;
    if (this.#isSimple) return serialize.query(text);
    if (name && isPrepared) this.#shape = shapesOf(connection).get(name);
    const bind = serialize.bind({
      statement: name ?? '',
      values: this.#values as unknown[],
      valueMapper: prepareValue,
    });
    return Buffer.concat([
      ...(isPrepared ? [] : [serialize.parse({ name: name ?? '', text })]),
      bind,
      ...(this.#shape ? [] : [serialize.describe({ type: 'P' })]),
      serialize.execute(),
      serialize.sync(),
    ]);
  }

  handleRowDescription({
    fields,
  }: {
    readonly fields: readonly { readonly name: string }[];
  }): void {
    this.#rows = [];
    this.#shape = createRowShape(fields.map(({ name }) => name));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#shape) this.#rows.push(this.#shape(fields));
  }

  handleCommandComplete({ text }: { readonly text: string }, connection: WireConnection): void {
    this.#command = text;
    if (this.name) shapesOf(connection).set(this.name, this.#shape ?? withoutColumns);
  }

  handleReadyForQuery(): void {
    this.callback(null, { rows: this.#rows, command: this.#command });
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleEmptyQuery(): void {}

  /** Refuses to send rows. PostgreSQL has ignored the statement's sync, because it waits for rows. */
  handleCopyInResponse({ stream }: WireConnection): void {
    const refusal = serialize.copyFail('COPY is not supported');
    stream.write(this.#isSimple ? refusal : Buffer.concat([refusal, serialize.sync()]));
  }

  handleCopyData(): void {}
}
