import type { Model } from '../model.ts';

/** SQL expressions for the caller's merchant and mode. */
export interface Tenant {
  merchant(): string;
  mode(): string;
  /** An alias that the statement does not use yet. */
  alias(): string;
}

/** SQL conditions: the caller may read the row of the model. */
export function tenantConditions(model: Model, row: string, tenant: Tenant): string[] {
  return [
    ...(model.tenant_column ? [`${row}.${model.tenant_column} = ${tenant.merchant()}`] : []),
    ...(model.has_mode ? [`${row}.mode = ${tenant.mode()}`] : []),
    ...seenThrough(model, row, tenant),
  ];
}

function seenThrough({ seen_through }: Model, row: string, tenant: Tenant): string[] {
  if (!seen_through) return [];
  const { relation, set } = seen_through;
  const by = tenant.alias();
  const conditions = [
    `${by}.${relation.column} = ${row}.id`,
    ...tenantConditions(relation.target, by, tenant),
    `${by}.${set} is not null`,
  ];
  return [
    `exists (select 1 from ${relation.target.table} ${by} where ${conditions.join(' and ')})`,
  ];
}

/** SQL of a column as the caller sees it: a foreign key to an invisible row is null. */
export function visibleColumn(model: Model, column: string, row: string, tenant: Tenant): string {
  const relation = model.guards.get(column);
  if (!relation) return `${row}.${column}`;
  const to = tenant.alias();
  const conditions = [
    `${to}.id = ${row}.${column}`,
    ...tenantConditions(relation.target, to, tenant),
  ];
  return `(select ${to}.id from ${relation.target.table} ${to} where ${conditions.join(' and ')}) as ${column}`;
}
