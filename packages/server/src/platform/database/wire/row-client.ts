/// <reference path="./pg-internals.d.ts" />
import pg from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';
import { readFields } from './data-row.ts';

/** Code of the message with a row. */
const DATA_ROW = 'D'.charCodeAt(0);
const LENGTH_BYTES = 4;

class RowParser extends Parser {
  override handlePacket(offset: number, code: number, length: number, bytes: Buffer) {
    if (code !== DATA_ROW) return super.handlePacket(offset, code, length, bytes);
    const fields = readFields(bytes, offset, offset + length - LENGTH_BYTES);
    return { name: 'dataRow', length, fields };
  }
}

/** The part of pg's connection that receives bytes. */
interface Receiver {
  attachListeners(stream: NodeJS.ReadableStream): void;
  emit(event: string, message: unknown): boolean;
}

/** pg's client with a faster parser of rows. */
export class RowClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const connection = this.connection as unknown as Receiver;
    connection.attachListeners = (stream) => {
      const parser = new RowParser();
      stream.on('data', (bytes: Buffer) =>
        parser.parse(bytes, (message) => {
          // pg listens to PostgreSQL's errors by this name: `error` is the event of a broken connection.
          connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
        }),
      );
    };
  }
}
