import { type IncomingMessage, request } from 'node:http';
import { codeOf } from '../database/client.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

/** The vault sends at least an empty line every five seconds. */
const SILENCE_MS = 30_000;

/** End of a command. */
interface CommandResult {
  readonly ok: boolean;
  readonly head?: unknown;
}

interface Line extends Partial<CommandResult> {
  readonly text?: string;
  readonly detail?: string;
}

/**
 * Sends a command to the operators' socket of a vault, and prints its sentences. Throws `PlainFailure` if no vault
 * listens, or if it ends the connection or is silent for 30 seconds before the command ends.
 */
export function sendVaultCommand(
  socketPath: string,
  { path, body }: { readonly path: string; readonly body: unknown },
  print: (sentence: string) => void,
  silence_ms = SILENCE_MS,
): Promise<CommandResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const clientRequest = request({ socketPath, method: 'POST', path, agent: false }, (response) => {
    readLines(response, print).then(resolve, reject);
  });
  clientRequest.setTimeout(silence_ms, () => {
    const failure = new PlainFailure(
      unfinished(`The vault is silent for ${silence_ms / 1_000} s.`),
    );
    reject(failure);
    clientRequest.destroy();
  });
  clientRequest.on('error', (cause) => reject(explainConnectError(cause)));
  clientRequest.end(JSON.stringify(body));
  return promise;
}

async function readLines(
  response: IncomingMessage,
  print: (sentence: string) => void,
): Promise<CommandResult> {
  let [unread, result]: [string, Partial<CommandResult>] = ['', {}];
  const readLine = (line: string): void => {
    const { text, detail, ...end } = JSON.parse(line || '{}') as Line;
    if (text ?? detail) print((text ?? detail) as string);
    result = { ...result, ...end, ...(detail && { ok: false }) };
  };
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (unread + chunk).split('\n');
      unread = lines.pop() as string;
      lines.forEach(readLine);
    }
  } catch (cause) {
    throw new PlainFailure(unfinished('The vault ended the connection.'), { cause });
  }
  readLine(unread);
  const { ok } = result;
  if (ok === undefined) throw new PlainFailure(unfinished('The vault ended the answer.'));
  return { ...result, ok };
}

const unfinished = (cause: string): string =>
  `${cause} The command may have taken effect in part. See the vault's log, and repeat the command: it continues.`;

function explainConnectError(cause: Error): Error {
  if (!['ENOENT', 'ECONNREFUSED'].includes(codeOf(cause))) return cause;
  return new PlainFailure(
    'No vault is running in this data directory. Start Florin first, or set FLORIN_DATA to its data directory.',
    { cause },
  );
}
