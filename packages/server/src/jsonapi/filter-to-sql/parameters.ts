import type { Scope } from '../../platform/database/scope.ts';
import type { Model } from '../model.ts';
import { type Tenant, tenantConditions } from './tenant.ts';

/** One SQL statement with its bound values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Whose records it reads; absent where it reads records of several merchants by their ids. */
  readonly merchant_id?: string;
}

/** Collects the bound values of a statement; every value of a request enters SQL through `bind`. */
export interface Parameters extends Tenant {
  /** The placeholder of a value. */
  bind(value: unknown): string;
  /** The conditions under which a row of the model, under this alias, belongs to the scope. */
  tenant(model: Model, alias: string): string[];
  /** The statement with the values that are bound until then. */
  statement(sql: string): Statement;
}

/** Starts a statement for one scope. */
export function createParameters(scope: Scope): Parameters {
  const values: unknown[] = [];
  const bound: { merchant?: string; mode?: string } = {};
  let aliases = 0;
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const parameters: Parameters = {
    bind,
    merchant() {
      bound.merchant ??= bind(scope.merchant_id);
      return bound.merchant;
    },
    mode() {
      bound.mode ??= bind(scope.mode);
      return bound.mode;
    },
    tenant: (model, alias) => tenantConditions(model, alias, parameters),
    alias() {
      aliases += 1;
      return `t${aliases}`;
    },
    statement: (sql) => ({ sql, values, merchant_id: scope.merchant_id }),
  };
  return parameters;
}
