import { createLru } from '@florin/contract/lru.ts';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Scope, scopeText } from '../../platform/database/scope.ts';
import type { Model } from '../model.ts';
import type { Run } from './run.ts';
import { type Tenant, tenantConditions, visibleColumn } from './tenant.ts';

interface ByIdQuery {
  readonly scope: Scope;
  readonly id: string;
}

/** Finds a row by its id within the caller's scope. */
export type FindById = (
  model: Model,
  columns: readonly string[],
  query: ByIdQuery,
) => Promise<Row | undefined>;

/** Maximum number of column sets with their own batcher for reads by id. */
const SHAPES_MAX = 256;

/** Batches concurrent reads of one type into one statement. Each read keeps its own scope. */
export function createFindById(run: Run): FindById {
  const findersByShape = createLru<(query: ByIdQuery) => Promise<Row | undefined>>(SHAPES_MAX);
  return (model, columns, query) => {
    const find = findersByShape.getOrCreate(`${model.type} ${columns.join()}`, () => {
      const sql = statementFor(model, columns);
      return createBatcher({
        run: (queries: readonly ByIdQuery[]) => findAll(run, sql, queries),
        ownerOf: ({ scope }) => scopeText(scope),
      });
    });
    return find(query);
  };
}

function statementFor(model: Model, columns: readonly string[]): string {
  const tenant = requestedTenant();
  const conditions = [...tenantConditions(model, 't', tenant), 't.id = w.id'].join(' and ');
  const selected = columns.map((column) => visibleColumn(model, column, 't', tenant)).join(', ');
  return `select w.position, ${selected}
    from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as w (merchant_id, mode, id, position)
    join ${model.table} t on ${conditions}`;
}

/** SQL for the scope of each wanted row, which the statement receives as input rows. */
function requestedTenant(): Tenant {
  let aliases = 0;
  return {
    merchant: () => 'w.merchant_id',
    mode: () => 'w.mode',
    nextAlias() {
      aliases += 1;
      return `t${aliases}`;
    },
  };
}

async function findAll(
  run: Run,
  sql: string,
  queries: readonly ByIdQuery[],
): Promise<(Row | undefined)[]> {
  const values = [
    queries.map(({ scope }) => scope.merchant_id),
    queries.map(({ scope }) => scope.mode),
    queries.map(({ id }) => id),
  ];
  const rowsByPosition: (Row | undefined)[] = queries.map(() => undefined);
  for (const row of await run({ sql, values })) rowsByPosition[Number(row.position) - 1] = row;
  return rowsByPosition;
}
