import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Directory for the observations of a run's workers; unset outside of a run. */
const directory = process.env.FLORIN_TEST_SEEN;
const noted = new Set<string>();

const methods: Readonly<Record<string, string>> = { PUT: 'PATCH', HEAD: 'GET' };

/** Notes an operation and the status of its response, for the comparison with the OpenAPI document. */
export function noteSeen(method: string, path: string, status: number): void {
  const template = templateOf(path);
  if (!directory || !template) return;
  const line = `${methods[method] ?? method} ${template} ${status}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(join(directory, String(process.pid)), line);
}

/** `/v2/customers/7?x=1` → `/v2/customers/{id}`; undefined outside the interface. */
function templateOf(path: string): string | undefined {
  const { pathname = '' } = URL.parse(path, 'http://localhost') ?? {};
  const [, type, id, rest] = /^\/v2\/([a-z_]+)(\/[^/]+)?(\/.+?)?\/?$/.exec(pathname) ?? [];
  return type && `/v2/${type}${id ? '/{id}' : ''}${rest ?? ''}`;
}
