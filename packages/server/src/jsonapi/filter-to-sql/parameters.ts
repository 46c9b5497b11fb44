import type { Scope } from '../../store/scope.ts';
import type { Model } from '../model.ts';

/** One SQL statement with its bound values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Collects the bound values of a statement; every value of a request enters SQL through `bind`. */
export interface Parameters {
  readonly values: unknown[];
  /** The placeholder of a value. */
  bind(value: unknown): string;
  /** The conditions under which a row of the model, under this alias, belongs to the scope. */
  tenant(model: Model, alias: string): string[];
  /** An alias that the statement does not use yet. */
  alias(): string;
}

/** Starts a statement for one scope. */
export function createParameters(scope: Scope): Parameters {
  const values: unknown[] = [];
  const bound: { merchant?: string; mode?: string } = {};
  let aliases = 0;
  const bind = (value: unknown): string => `$${values.push(value)}`;
  return {
    values,
    bind,
    tenant(model, alias) {
      if (!model.tenant_column) return [];
      bound.merchant ??= bind(scope.merchant_id);
      const conditions = [`${alias}.${model.tenant_column} = ${bound.merchant}`];
      if (!model.has_mode) return conditions;
      bound.mode ??= bind(scope.mode);
      return [...conditions, `${alias}.mode = ${bound.mode}`];
    },
    alias() {
      aliases += 1;
      return `t${aliases}`;
    },
  };
}
