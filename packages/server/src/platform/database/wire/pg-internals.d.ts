/** Parts of pg without types of their own. */
declare module 'pg/lib/utils.js' {
  /** Encodes a value as PostgreSQL's text; null stays null, and a Buffer stays binary. */
  export function prepareValue(value: unknown): string | Buffer | null;
}

declare module 'pg-protocol/dist/parser.js' {
  interface Message {
    readonly name: string;
    readonly length: number;
  }
  /** Cuts PostgreSQL's bytes into messages. */
  export class Parser {
    parse(bytes: Buffer, onMessage: (message: Message) => void): void;
    /** Reads the body of a message at `offset`. `length` counts the four bytes of the length too. */
    handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message;
  }
}
