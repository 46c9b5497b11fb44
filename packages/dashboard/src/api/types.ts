import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { ResourceType, resources } from '@florin/contract/resources/index.ts';

export type { ResourceType };

export type Mode = 'live' | 'sandbox';

/** Whether an address segment names a mode. */
export const isMode = (text: string | undefined): text is Mode =>
  text === 'live' || text === 'sandbox';

/** Merchant and mode whose records the page shows. */
export interface Scope {
  readonly merchant: string;
  readonly mode: Mode;
}

/** Attributes of a type that is known only at run time. */
export type AnyAttributes = Readonly<Record<string, unknown>>;

interface Wire {
  integer: number;
  boolean: boolean;
  strings: readonly string[];
  object: AnyAttributes;
  objects: readonly AnyAttributes[];
  metadata: Readonly<Record<string, string>>;
}

type Value<F extends Field> = F['type'] extends keyof Wire
  ? Wire[F['type']]
  : F extends { readonly type: 'enum'; readonly values: readonly (infer V extends string)[] }
    ? V
    : string;

type NeverNullField = { create: 'required' } | { always_set: true } | { default: unknown };

type ServedValue<F> = F extends Field
  ? Value<F> | (F extends NeverNullField ? never : null)
  : never;

/** Attributes of a type, derived from its resource definition. */
export type Attributes<T extends ResourceType> = {
  readonly [N in keyof (typeof resources)[T]['fields']]: ServedValue<
    (typeof resources)[T]['fields'][N]
  >;
};

export interface Identifier {
  readonly type: ResourceType;
  readonly id: string;
}

export interface Linkage {
  readonly data?: Identifier | readonly Identifier[] | null;
}

export interface RecordMeta {
  readonly allowed_actions?: readonly string[];
  readonly [name: string]: unknown;
}

/** A record as the interface serves it. */
export interface Resource<A = AnyAttributes> {
  readonly type: ResourceType;
  readonly id: string;
  readonly attributes: A;
  readonly relationships?: Readonly<Record<string, Linkage>>;
  readonly meta?: RecordMeta;
}

export type RecordOf<T extends ResourceType> = Resource<Attributes<T>>;

/** A JSON:API document with one record or a page of records. */
export interface Document<D> {
  readonly data: D;
  readonly included?: readonly Resource[];
  readonly links?: Readonly<Record<string, string | { readonly href: string } | null>>;
  readonly meta?: AnyAttributes;
}
