import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the workers of a run say what they saw; unset outside of one. */
const directory = process.env.FLORIN_TEST_SEEN;
const noted = new Set<string>();

const methods: Readonly<Record<string, string>> = { PUT: 'PATCH', HEAD: 'GET' };

/** Notes the operation that was asked and the status of its answer, for the comparison with the OpenAPI document. */
export function noteSeen(method: string, path: string, status: number): void {
  const template = templateOf(path);
  if (!directory || !template) return;
  const line = `${methods[method] ?? method} ${template} ${status}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(join(directory, String(process.pid)), line);
}

/** `/v2/customers/7?x=1` → `/v2/customers/{id}`; undefined for what is not of the interface. */
function templateOf(path: string): string | undefined {
  const { pathname = '' } = URL.parse(path, 'http://localhost') ?? {};
  const [, type, id, rest] = /^\/v2\/([a-z_]+)(\/[^/]+)?(\/.+?)?\/?$/.exec(pathname) ?? [];
  return type && `/v2/${type}${id ? '/{id}' : ''}${rest ?? ''}`;
}
