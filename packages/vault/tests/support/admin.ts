import { request as httpRequest } from 'node:http';
import type { AuditHead, VaultAdminLine } from '@florin/contract/protocol/vault-admin.ts';

export interface CommandResult {
  readonly sentences: string[];
  readonly ok: boolean;
  readonly head?: AuditHead;
  /** The last line with a ticket, a page or a result. */
  readonly last?: VaultAdminLine;
}

/** Runs a command over the operators' socket. Returns its sentences and whether it succeeded. */
export function sendCommand(
  socketPath: string,
  path: string,
  body: unknown = {},
): Promise<CommandResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const request = httpRequest({ socketPath, method: 'POST', path, agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('end', () => {
      const lines = text.split('\n').filter(Boolean);
      const adminLines = lines.map((line) => JSON.parse(line) as VaultAdminLine);
      const sentences = adminLines.flatMap((line) => line.text ?? []);
      const head = adminLines.find((line) => line.head)?.head;
      const last = adminLines.findLast((line) => line.data ?? line.is_last !== undefined);
      const ok = adminLines.at(-1)?.ok === true;
      resolve({ sentences, ok, ...(head && { head }), ...(last && { last }) });
    });
  });
  request.on('error', reject).end(JSON.stringify(body));
  return promise;
}
