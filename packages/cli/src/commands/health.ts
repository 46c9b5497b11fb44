import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { vaultPaths } from '@florin/contract/protocol/vault.ts';
import { readHealthSettings } from '../config/env.ts';
import { codeOf } from '../database/client.ts';
import type { Role } from '../production/gap.ts';
import { parseRole } from './check.ts';

export const HEALTH_USAGE = `       npm run florin -- health server | api | worker | router | vault
           asks the role of this environment whether it works (/readyz), for health checks of containers;
           code 1 if it does not`;

/** Longer than a healthy process takes on a busy machine, and shorter than a container's check may take. */
const ANSWER_MAX_MS = 5_000;

/** Asks a running role whether it works. Resolves with the exit code. */
export async function health(words: string[], print: (text: string) => void): Promise<number> {
  const role = parseRole(words, HEALTH_USAGE);
  const answer = await ask(targetOf(role)).catch((error: Error) => codeOf(error) || error.name);
  print(answer === 200 ? `The ${role} works.` : `The ${role} does not work (${answer}).`);
  return answer === 200 ? 0 : 1;
}

function targetOf(role: Role): RequestOptions {
  const { vaultSocket, server, worker } = readHealthSettings();
  if (role === 'vault') return { socketPath: vaultSocket, path: vaultPaths.health };
  return { ...urlToHttpOptions(new URL('/readyz', role === 'worker' ? worker : server)) };
}

/** Resolves with the status of the answer. */
async function ask(target: RequestOptions): Promise<number | undefined> {
  const sent = request({ ...target, signal: AbortSignal.timeout(ANSWER_MAX_MS) }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
