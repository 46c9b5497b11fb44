import type { Config } from './config.ts';

/** A cell and the address of its servers, as `FLORIN_CELLS` lists them. */
export interface ListedCell {
  readonly name: string;
  readonly url: URL;
}

/** Configuration of a process that passes requests on to cells. */
export interface RouterConfig
  extends Pick<
    Config,
    | 'port'
    | 'host'
    | 'public_url'
    | 'log_level'
    | 'access_log'
    | 'access_log_fd'
    | 'drain_ms'
    | 'rate_limit'
    | 'trusted_proxies'
    | 'monotonic_ms'
    | 'environment'
    | 'restarts'
    | 'public_paths'
    | 'telemetry'
  > {
  readonly cells: readonly ListedCell[];
  readonly global_database_url: string;
}

export const CELLS_FORMAT =
  'FLORIN_CELLS must be names and origins, separated by commas, such as home=http://10.0.0.5:4000,away=http://10.0.0.6:4000.';

/** Name of a cell. Metrics of a router use `all` and `none` for requests of no single cell. */
export const CELL_NAME = /^(?!(?:all|none)$)[a-z][a-z0-9_]{0,30}$/;

/** Parses `name=origin` pairs, separated by commas. Undefined unless each is well-formed and has a name of its own. */
export function parseCells(text: string): readonly ListedCell[] | undefined {
  const cells = text
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map(parseCell);
  const parsed = cells.filter((cell) => cell !== undefined);
  const names = new Set(parsed.map(({ name }) => name));
  return parsed.length > 0 && names.size === cells.length ? parsed : undefined;
}

function parseCell(pair: string): ListedCell | undefined {
  const [, name = '', origin = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
  const url = URL.parse(origin);
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return CELL_NAME.test(name) && isOrigin ? { name, url } : undefined;
}
