import type {
  OpenApiDocument,
  OperationObject,
  Schema,
} from '@florin/server/jsonapi/openapi/schema.ts';

export type Members = Readonly<Record<string, Schema>>;

/** A method at an address. */
export interface ServedOperation {
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  readonly operation: OperationObject;
}

export const schemaOf = ({ components }: OpenApiDocument, name: string): Schema | undefined =>
  components.schemas?.[name];

export const membersOf = (schema: unknown): Members =>
  ((schema as Schema)?.properties ?? {}) as Members;

/** Operations of a type in the document's order. */
export const operationsOf = ({ paths }: OpenApiDocument, type: string): ServedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter((entry): entry is [string, OperationObject] => 'operationId' in entry[1])
      .filter(([, { tags }]) => tags.includes(type))
      .map(([method, operation]) => ({ path, method, operation })),
  );

/** The example of a request's body. */
export function exampleBodyOf({ requestBody }: OperationObject): unknown {
  const contentByType = (requestBody as Schema | undefined)?.content as Members | undefined;
  return Object.values(contentByType ?? {})[0]?.example;
}

/** The target type of a relationship. */
export function targetOf(document: OpenApiDocument, data: Schema): string {
  const identifier = (data.items ?? (data.oneOf as Schema[] | undefined)?.[0] ?? {}) as Schema;
  const { type } = membersOf(schemaOf(document, nameOfRef(identifier)));
  return String(type?.const);
}

/** Name of the component that a reference leads to. */
export const nameOfRef = ({ $ref }: Schema): string => String($ref).split('/').at(-1) ?? '';
