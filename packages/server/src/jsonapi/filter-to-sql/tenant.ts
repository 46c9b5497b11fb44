import { modeColumns } from '../../platform/mode-columns.ts';
import type { Model } from '../model.ts';

/** SQL expressions for the caller's merchant and mode. */
export interface Tenant {
  merchant(): string;
  mode(): string;
  /** An alias that the statement does not use yet. */
  nextAlias(): string;
}

/** SQL conditions: the caller may read the row of the model. */
export function tenantConditions(model: Model, rowAlias: string, tenant: Tenant): string[] {
  return [
    ...(model.tenant_column ? [`${rowAlias}.${model.tenant_column} = ${tenant.merchant()}`] : []),
    ...(model.has_mode ? [`${rowAlias}.mode = ${tenant.mode()}`] : []),
    ...visibilityConditions(model, rowAlias, tenant),
  ];
}

function visibilityConditions({ seen_through }: Model, rowAlias: string, tenant: Tenant): string[] {
  if (!seen_through) return [];
  const { relation, set } = seen_through;
  const relatedAlias = tenant.nextAlias();
  const conditions = [
    `${relatedAlias}.${relation.column} = ${rowAlias}.id`,
    ...tenantConditions(relation.target, relatedAlias, tenant),
    `${relatedAlias}.${set} is not null`,
  ];
  return [
    `exists (select 1 from ${relation.target.table} ${relatedAlias} where ${conditions.join(' and ')})`,
  ];
}

/**
 * SQL of a column as the caller sees it: a foreign key to an invisible row is null. A setting per mode has the value of
 * the caller's mode.
 */
export function visibleColumn(
  model: Model,
  column: string,
  rowAlias: string,
  tenant: Tenant,
): string {
  if (model.sandbox_columns.has(column))
    return modeColumns([column], { mode: tenant.mode(), alias: rowAlias });
  const relation = model.guards.get(column);
  if (!relation) return `${rowAlias}.${column}`;
  const targetAlias = tenant.nextAlias();
  const conditions = [
    `${targetAlias}.id = ${rowAlias}.${column}`,
    ...tenantConditions(relation.target, targetAlias, tenant),
  ];
  return `(select ${targetAlias}.id from ${relation.target.table} ${targetAlias} where ${conditions.join(' and ')}) as ${column}`;
}
