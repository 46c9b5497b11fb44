import type { Scope } from '../../store/scope.ts';
import type { Model } from '../model.ts';
import { type Tenant, tenantConditions } from './tenant.ts';

/** One SQL statement with its bound values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Collects the bound values of a statement; every value of a request enters SQL through `bind`. */
export interface Parameters extends Tenant {
  readonly values: unknown[];
  /** The placeholder of a value. */
  bind(value: unknown): string;
  /** The conditions under which a row of the model, under this alias, belongs to the scope. */
  tenant(model: Model, alias: string): string[];
}

/** Starts a statement for one scope. */
export function createParameters(scope: Scope): Parameters {
  const values: unknown[] = [];
  const bound: { merchant?: string; mode?: string } = {};
  let aliases = 0;
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const parameters: Parameters = {
    values,
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
  };
  return parameters;
}
