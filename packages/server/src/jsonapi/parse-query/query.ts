import type { FieldModel, Model, RelationModel } from '../model.ts';
import type { ProfileUse } from './cursor-profile.ts';
import type { Parameter } from './parameters.ts';

/** Relations to include by name, each with those of its target. */
export interface IncludeTree extends ReadonlyMap<string, IncludeTree> {}

/** An attribute or foreign key, reached over relations from the primary type. */
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
 * `eq` and `ne` compare with any of several values, null among them; `absent` requires an empty
 * last hop.
 */
export type Comparison =
  | { readonly operator: 'eq' | 'ne'; readonly values: readonly (string | null)[] }
  | { readonly operator: OrderOperator | 'like'; readonly value: string }
  | { readonly operator: 'absent' | 'present' };

/** True if some row at the end of the path matches. */
export type Filter = Path & Comparison;

export interface PageParameters {
  /** Rows on one page, 1 to PAGE_SIZE_MAX. */
  readonly limit: number;
  readonly offset: number;
  readonly anchor: { readonly side: 'after' | 'before'; readonly cursor: string } | undefined;
  /** The parameter that gave the limit, kept in links. */
  readonly limit_key: 'size' | 'limit' | undefined;
  readonly total: boolean;
}

/** A request's parsed and checked query. */
export interface Query {
  /** Names of attributes and relationships per type; types without an entry show all. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Undefined if the client sent none; an empty tree requests an empty `included`. */
  readonly include: IncludeTree | undefined;
  readonly sort: readonly SortKey[];
  readonly filters: readonly Filter[];
  readonly page: PageParameters;
  /** Whether a list follows the cursor profile. */
  readonly profile: ProfileUse;
  /** Other types that the query reads. */
  readonly touched: ReadonlySet<Model>;
  /** Parameters as sent, for links. */
  readonly parameters: readonly Parameter[];
}
