import type { FieldModel, Model, RelationModel } from '../model.ts';
import type { ProfileUse } from './cursor-profile.ts';
import type { Parameter } from './parameters.ts';

/** Names of the relations to include, each with those of its target. */
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

/** `eq` and `ne` compare with any of several values, null among them; `absent` asks for an empty last hop. */
export type Comparison =
  | { readonly operator: 'eq' | 'ne'; readonly values: readonly (string | null)[] }
  | { readonly operator: OrderOperator | 'like'; readonly value: string }
  | { readonly operator: 'absent' | 'present' };

/** Holds when some row at the end of the path compares so. */
export type Filter = Path & Comparison;

export interface Page {
  /** Rows on one page, 1 to PAGE_SIZE_MAX. */
  readonly limit: number;
  readonly offset: number;
  readonly anchor: { readonly side: 'after' | 'before'; readonly cursor: string } | undefined;
  /** The key by which the client gave the limit, kept in links. */
  readonly limit_key: 'size' | 'limit' | undefined;
  readonly total: boolean;
}

/** What one request asks to see of its records, understood and checked. */
export interface Query {
  /** Names of attributes and relationships per type; types without an entry show all. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Undefined where the client did not say; an empty tree asks for an empty `included`. */
  readonly include: IncludeTree | undefined;
  readonly sort: readonly SortKey[];
  readonly filters: readonly Filter[];
  readonly page: Page;
  /** Whether a list follows the cursor profile. */
  readonly profile: ProfileUse;
  /** Types that are read on the way, the primary one left out. */
  readonly touched: ReadonlySet<Model>;
  /** As the client sent them, for links. */
  readonly parameters: readonly Parameter[];
}
