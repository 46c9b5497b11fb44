import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A message that the mail server has read completely, with or without accepting it. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** Unfolded headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly raw: string;
}

/** The server's response to a complete message. */
export type SmtpReply =
  | { readonly code: 250 | 451 | 554 }
  /** Never responds. */
  | 'hang'
  /** Keeps sending continuation lines. */
  | 'trickle'
  /** Accepts the message and disconnects before the response. */
  | 'die';

export interface MailServerOptions {
  /** Response to the nth message, from 1. */
  readonly answer?: (nth: number) => SmtpReply;
  /** SMTP code that refuses a recipient; undefined accepts. */
  readonly refuse?: (address: string) => number | undefined;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly Mail[];
  /** Number of connections since the start. */
  connectionCount(): number;
  /** Largest number of concurrent connections. */
  peakConnections(): number;
}

const TRICKLE_MS = 50;

/** A real SMTP server without encryption. */
export async function openMailServer({
  answer = () => ({ code: 250 }),
  refuse = () => undefined,
}: MailServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const sockets = new Set<Socket>();
  let trickleTimer: NodeJS.Timeout | undefined;
  const trickle = (): void => {
    for (const socket of sockets) socket.write('250-and\r\n');
  };
  let connectionCount = 0;
  let peakConnections = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    authOptional: true,
    closeTimeout: 10,
    onRcptTo({ address }, _session, done) {
      const code = refuse(address);
      done(code ? errorWithCode(code) : null);
    },
    onData(stream, session, done) {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        mails.push(mailOf(session, Buffer.concat(chunks).toString()));
        const reply = answer(mails.length);
        if (reply === 'die') for (const socket of sockets) socket.destroy();
        else if (reply === 'trickle') trickleTimer = setInterval(trickle, TRICKLE_MS);
        else if (reply !== 'hang') done(reply.code === 250 ? null : errorWithCode(reply.code));
      })();
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket) => {
    connectionCount++;
    sockets.add(socket);
    peakConnections = Math.max(peakConnections, sockets.size);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    connectionCount: () => connectionCount,
    peakConnections: () => peakConnections,
    async [Symbol.asyncDispose]() {
      clearInterval(trickleTimer);
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

const errorWithCode = (responseCode: number): Error =>
  Object.assign(new Error('not now'), { responseCode });

function mailOf({ envelope }: SMTPServerSession, raw: string): Mail {
  const [headerText = ''] = raw.split('\r\n\r\n', 1);
  const lines = headerText.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map(({ address }) => address),
    headers: new Map(
      lines.map((line) => {
        const at = line.indexOf(':');
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
      }),
    ),
    raw,
  };
}
