/** A request of the console, as the operation describes it. */
export interface ConsoleOperation {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** A response, as the console shows it. */
export interface ShownResponse {
  readonly status: string;
  readonly text: string;
}

/** A whole key, without the "…" of the samples. */
const SANDBOX_KEY = /^ept_sandbox_s\w+$/;

let operations: Promise<Readonly<Record<string, ConsoleOperation>>> | undefined;

/** Loads an operation. All are in one file, which is loaded once. */
export async function loadOperation(base: string, id: string): Promise<ConsoleOperation> {
  operations ??= fetch(`${base}operations.json`).then((response) => response.json());
  const operation = (await operations.catch(forgetOperations))[id];
  if (!operation) throw new Error(`The operation ${id} does not exist.`);
  return operation;
}

/** Lets the next attempt load the file again. */
function forgetOperations(error: Error): never {
  operations = undefined;
  throw error;
}

/** Names of the parts of an address that a reader fills in. */
export const placeholdersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** Why the request cannot be sent, or undefined. Live keys must never be entered into a page. */
export function problemOf(key: string, body: string): string | undefined {
  if (!SANDBOX_KEY.test(key))
    return 'Enter a whole secret key of the sandbox. The key starts with ept_sandbox_s.';
  if (body === '') return undefined;
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return `The body is not JSON: ${(error as Error).message}`;
  }
}

/** Sends a request to the Florin that serves this page. */
export async function sendRequest(
  method: string,
  address: string,
  key: string,
  body: string,
): Promise<ShownResponse> {
  const response = await fetch(address, {
    method,
    credentials: 'omit',
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== '' && { 'Content-Type': 'application/vnd.api+json' }),
    },
    ...(body !== '' && { body }),
  });
  const text = await response.text();
  return { status: `${response.status} ${response.statusText}`, text: formatJson(text) };
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
