import type { FieldModel, Model, RelationModel } from '../model.ts';
import type { ProfileUse } from './cursor-profile.ts';
import type { Parameter } from './parameters.ts';

/** Included relationships by name, each with the included relationships of its target. */
export interface IncludeTree extends ReadonlyMap<string, IncludeTree> {}

/** An attribute or foreign key, with the relationships that lead to it from the primary type. */
export interface Path {
  readonly hops: readonly RelationModel[];
  readonly field: FieldModel;
}

export interface SortKey extends Path {
  readonly descending: boolean;
}

export const orderOperators = ['gt', 'gte', 'lt', 'lte'] as const;
type OrderOperator = (typeof orderOperators)[number];

/**
 * `eq` and `ne` compare with any of several values, which may include null. `absent` requires that the last
 * hop finds no row.
 */
export type Comparison =
  | { readonly operator: 'eq' | 'ne'; readonly values: readonly (string | null)[] }
  | { readonly operator: OrderOperator | 'like'; readonly value: string }
  | { readonly operator: 'absent' | 'present' };

/** A condition that is true if any row at the end of the path matches. */
export type Filter = Path & Comparison;

export interface PageParameters {
  /** Maximum number of rows on the page, 1 to PAGE_SIZE_MAX. */
  readonly limit: number;
  readonly offset: number;
  readonly anchor: { readonly side: 'after' | 'before'; readonly cursor: string } | undefined;
  /** Name of the parameter that set the limit, for the links. */
  readonly limit_key: 'size' | 'limit' | undefined;
  readonly total: boolean;
}

/** A request's parsed and validated query. */
export interface Query {
  /** Requested attributes and relationships per type. Types without an entry show all. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Undefined without the parameter. An empty tree requests an empty `included`. */
  readonly include: IncludeTree | undefined;
  readonly sort: readonly SortKey[];
  readonly filters: readonly Filter[];
  readonly page: PageParameters;
  /** Whether a list follows the cursor profile. */
  readonly profile: ProfileUse;
  /** Other types that the query reads, for permission checks. */
  readonly touchedModels: ReadonlySet<Model>;
  /** Parameters as sent, for links. */
  readonly parameters: readonly Parameter[];
}
