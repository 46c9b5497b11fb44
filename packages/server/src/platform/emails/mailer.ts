import type { Buffer } from 'node:buffer';
import { createTransport, type NodemailerError } from 'nodemailer';
import type { Row } from '../database/row.ts';
import type { Logger } from '../logger.ts';
import type { Draft } from './parts.ts';

/** Concurrent connections to the mail server. A connection sends one email at a time. */
export const CONNECTIONS_MAX = 8;
/** Emails sent over one connection before it is replaced. */
const MESSAGES_PER_CONNECTION_MAX = 100;

export interface MailerLimits {
  /** Timeout for connecting and for the server's greeting. */
  readonly connect_ms: number;
  /** Longest time without a response of the server. */
  readonly silence_ms: number;
  /** Timeout for one email in total. */
  readonly email_timeout_ms: number;
}

export const mailerLimits: MailerLimits = {
  connect_ms: 10_000,
  silence_ms: 30_000,
  email_timeout_ms: 120_000,
};

/** Mail server and sender address for emails to customers. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte. False: STARTTLS if the server offers it. */
  readonly secure: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
  /** Sender address without a name. Emails show the merchant's name. */
  readonly from: string;
}

/** Outcome of sending an email. */
export type Outcome =
  | { readonly result: 'sent' }
  /** Stored only, because sandbox emails are never sent. */
  | { readonly result: 'kept' }
  /** Final: the mail server refused the email, no server is configured, or rendering failed. */
  | { readonly result: 'refused'; readonly reason: 'refused' | 'not_configured' | 'unwritable' }
  /** Temporary: the email may be sent later. The server may already have sent it. */
  | { readonly result: 'delayed'; readonly reason: 'deferred' | 'unreachable' | 'timed_out' };

/** An email with its rendered content, sender name and reply address. */
export interface Envelope {
  readonly email: Row;
  readonly draft: Draft;
  readonly from_name: string;
  readonly reply_to: string | undefined;
  /** The logo that the HTML shows, if the email carries it. */
  readonly logo?: MailAttachment | undefined;
  readonly attachments?: readonly MailAttachment[];
}

/** A file that is sent with an email. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** Content id of a picture in the HTML. */
  readonly cid?: string;
}

/** Client of the mail server. Disposal cancels emails in flight. */
export interface Mailer extends Disposable {
  /** Sends an email through the mail server. Never rejects. */
  send(envelope: Envelope): Promise<Outcome>;
}

/** Creates a client with a pool of connections, which open on first use. */
export function createMailer(
  server: MailServer,
  logger: Logger,
  limits: MailerLimits = mailerLimits,
): Mailer {
  const noteResult = createWatch(logger);
  const stopController = new AbortController();
  const transport = createTransport(optionsOf(server, limits));
  return {
    async send(envelope) {
      const signal = AbortSignal.any([
        AbortSignal.timeout(limits.email_timeout_ms),
        stopController.signal,
      ]);
      const message = { ...messageOf(envelope, server.from), signal };
      try {
        await transport.sendMail(message);
        noteResult();
        return { result: 'sent' };
      } catch (error) {
        const outcome = signal.aborted ? TIMED_OUT : outcomeOf(error as NodemailerError);
        noteResult(isAboutServer(outcome) ? (error as NodemailerError) : undefined);
        return outcome;
      }
    },
    [Symbol.dispose]() {
      stopController.abort();
      transport.close();
    },
  };
}

const TIMED_OUT: Outcome = { result: 'delayed', reason: 'timed_out' };

const optionsOf = ({ from: _, auth, ...connectionOptions }: MailServer, limits: MailerLimits) => ({
  ...connectionOptions,
  pool: true as const,
  maxConnections: CONNECTIONS_MAX,
  maxMessages: MESSAGES_PER_CONNECTION_MAX,
  // Only the email worker decides which emails are retried.
  maxRequeues: 0,
  // A password is only sent encrypted.
  ...(auth && { auth, requireTLS: true }),
  connectionTimeout: limits.connect_ms,
  greetingTimeout: limits.connect_ms,
  socketTimeout: limits.silence_ms,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** The message id is derived from the email's id, so that mail servers recognise duplicates. */
function messageOf(envelope: Envelope, from: string) {
  const { email, draft, from_name, reply_to, attachments = [] } = envelope;
  const { id, locale, to_email } = email;
  return {
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    from: { name: from_name, address: from },
    to: { name: '', address: to_email as string },
    ...(reply_to && { replyTo: { name: '', address: reply_to } }),
    ...draft,
    attachments: [...attachments],
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': locale as string },
  };
}

const isAboutServer = (outcome: Outcome): boolean =>
  outcome.result === 'delayed' && outcome.reason !== 'deferred';

/** Logs the first failure and the recovery. Never logs the server's text, which may contain addresses. */
function createWatch(logger: Logger): (failure?: NodemailerError) => void {
  let isFailing = false;
  return (failure) => {
    if (failure && !isFailing) {
      const { code, command, responseCode: response_code } = failure;
      logger.error({ code, command, response_code }, 'the mail server accepts no emails');
    }
    if (!failure && isFailing) logger.info('the mail server accepts emails again');
    isFailing = failure !== undefined;
  };
}

/**
 * Replies to these commands concern the email or its recipient. Other replies concern the connection or this
 * server.
 */
const MESSAGE_COMMANDS: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA']);

/** A 5yz reply is final. After a 4yz reply the server may accept the email later (RFC 5321, 4.2.1). */
function outcomeOf({ code, command, responseCode }: NodemailerError): Outcome {
  if (responseCode && MESSAGE_COMMANDS.has(command)) {
    return responseCode >= 500
      ? { result: 'refused', reason: 'refused' }
      : { result: 'delayed', reason: 'deferred' };
  }
  return code === 'ETIMEDOUT' ? TIMED_OUT : { result: 'delayed', reason: 'unreachable' };
}
