import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Directory in which the workers of a test run record operations; unset outside of a run. */
const directory = process.env.FLORIN_TEST_SEEN;
const recordedLines = new Set<string>();

const canonicalMethods: Readonly<Record<string, string>> = { PUT: 'PATCH', HEAD: 'GET' };

/** Records an operation with its response status, for the comparison with the OpenAPI document. */
export function recordOperation(method: string, path: string, status: number): void {
  const template = templateOf(path);
  if (!directory || !template) return;
  const line = `${canonicalMethods[method] ?? method} ${template} ${status}\n`;
  if (recordedLines.has(line)) return;
  recordedLines.add(line);
  appendFileSync(join(directory, String(process.pid)), line);
}

/** Template of a path: `/v2/customers/7?x=1` → `/v2/customers/{id}`. Undefined outside the API. */
function templateOf(path: string): string | undefined {
  const { pathname = '' } = URL.parse(path, 'http://localhost') ?? {};
  const [, type, id, suffix] = /^\/v2\/([a-z_]+)(\/[^/]+)?(\/.+?)?\/?$/.exec(pathname) ?? [];
  return type && `/v2/${type}${id ? '/{id}' : ''}${suffix ?? ''}`;
}
