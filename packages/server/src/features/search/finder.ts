import { permissionSlug } from '@florin/contract/permissions.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { hasPermission } from '../../jsonapi/permissions.ts';
import { queryInTime } from '../../platform/concurrency/query-in-time.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';

/** Time limit of a statement. A search has seven at most, one after the other. */
const STATEMENT_MS = 500;

export type SearchServices = Pick<Services, 'reads' | 'models'>;
export type SearchContext = Pick<RequestContext, 'scope' | 'permissions'>;

/** Runs the statements of one search. */
export interface Finder {
  mayRead(type: string): boolean;
  /** Rows of a type; none if the caller may not read the type. */
  find(type: string, sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
  /** Rows of a statement; none if the statement takes too long. Values follow the merchant and the mode. */
  run(name: string, sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
  /** Names of statements that took too long. */
  readonly incomplete: readonly string[];
}

export function createFinder({ reads, models }: SearchServices, ctx: SearchContext): Finder {
  const { merchant_id, mode } = ctx.scope;
  const incomplete: string[] = [];
  const mayRead = (type: string): boolean =>
    hasPermission(ctx, permissionSlug(models.get(type).resource, 'read'));
  const run: Finder['run'] = async (name, sql, values) => {
    const rows = await queryInTime(reads, {
      sql,
      values: [merchant_id, mode, ...values],
      name: `search_${name}`,
      limit_ms: STATEMENT_MS,
      plans: 'kept',
    });
    if (!rows) incomplete.push(name);
    return rows ?? [];
  };
  return {
    mayRead,
    run,
    find: async (type, sql, values) => (mayRead(type) ? run(type, sql, values) : []),
    incomplete,
  };
}
