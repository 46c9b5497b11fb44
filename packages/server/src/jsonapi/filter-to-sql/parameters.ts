import type { Scope } from '../../platform/database/scope.ts';
import type { Model } from '../model.ts';
import { type Tenant, tenantConditions } from './tenant.ts';

/** One SQL statement with its bound values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
  /**
   * Merchant whose records are read; absent if the statement reads records of several merchants by
   * id.
   */
  readonly merchant_id?: string;
}

/** Collects the bound values of a statement. Every value of a request enters SQL through `bind`. */
export interface Parameters extends Tenant {
  /** Binds a value; returns its placeholder. */
  bind(value: unknown): string;
  /** SQL conditions: the row `alias` of the model belongs to the scope. */
  tenantConditions(model: Model, alias: string): string[];
  /** The statement with the values bound so far. */
  statement(sql: string): Statement;
}

/** Creates the parameters of a statement for one scope. */
export function createParameters(scope: Scope): Parameters {
  const values: unknown[] = [];
  const placeholders: { merchant?: string; mode?: string } = {};
  let aliases = 0;
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const parameters: Parameters = {
    bind,
    merchant() {
      placeholders.merchant ??= bind(scope.merchant_id);
      return placeholders.merchant;
    },
    mode() {
      placeholders.mode ??= bind(scope.mode);
      return placeholders.mode;
    },
    tenantConditions: (model, alias) => tenantConditions(model, alias, parameters),
    nextAlias() {
      aliases += 1;
      return `t${aliases}`;
    },
    statement: (sql) => ({ sql, values, merchant_id: scope.merchant_id }),
  };
  return parameters;
}
