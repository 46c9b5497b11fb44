import { problem } from '@florin/contract/errors.ts';
import type { ControlRequest, StandIn } from './stand-ins.ts';
import { standIns } from './stand-ins.ts';

/** Longest wait for the simulator, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** The stand-in of a processor. Throws 422 `not_in_list` if the simulator has none. */
export function requireStandIn(processor: string): StandIn {
  const standIn = Object.hasOwn(standIns, processor) ? standIns[processor] : undefined;
  if (standIn) return standIn;
  throw problem(
    'not_in_list',
    `processor must be one that the simulated card network has a stand-in of: ${Object.keys(standIns).join(', ')}.`,
    { pointer: '/processor' },
  );
}

/** Sends a request to a control surface. Throws 422 if the simulator does not answer, or refuses the request. */
export async function sendControl(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  { path, body }: { readonly path: string; readonly body?: object },
): Promise<unknown> {
  const response = await fetch(`${url}/control${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  if (!response) throw noAnswer(url);
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  throw problem('invalid', reasonOf(response.status, text));
}

export const postControl = (url: string, request: ControlRequest): Promise<unknown> =>
  sendControl(url, 'POST', request);

const noAnswer = (url: string) =>
  problem(
    'invalid',
    `The simulated card network does not answer at ${url}, so that nothing was changed. Start Florin with npm start, and repeat the command.`,
  );

function reasonOf(status: number, text: string): string {
  const { error } = parseObject(text);
  if (typeof error === 'string') return `The stand-in refuses the command: ${error}`;
  return status === 404
    ? 'The stand-in does not know the record. A reset of the sandbox or another data directory may have removed it.'
    : `The stand-in refuses the command with status ${status}.`;
}

function parseObject(text: string): { readonly error?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/**
 * Address of a stand-in for an account: its own one, which can refuse connections, or the simulator's where the
 * simulator runs elsewhere.
 */
export async function standInAddressOf(simulator_url: string, { path }: StandIn): Promise<string> {
  const door = await sendControl(simulator_url + path, 'GET', { path: '/door' }).catch(
    () => undefined,
  );
  const { url } = (door ?? {}) as { readonly url?: string };
  return (url ?? simulator_url) + path;
}
