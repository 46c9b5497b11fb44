/** A JSON Schema, or another object of the document, by keyword. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export interface OpenapiParameter extends Schema {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description: string;
  readonly schema: Schema;
}

export interface Response extends Schema {
  readonly description: string;
}

/** An operation under its path and method. */
export interface OperationObject extends Schema {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Schema[];
  readonly responses: Readonly<Record<string, Schema>>;
  readonly 'x-required-permission': readonly string[];
}

export type PathItem = Readonly<Record<string, OperationObject | readonly Schema[]>>;

/** An OpenAPI 3.1 document: the parts that this program reads. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly security: readonly Schema[];
  readonly tags: readonly Schema[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, Schema>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

type Section = 'schemas' | 'parameters' | 'responses' | 'headers';

/** A reference to a component of the same document. */
export const refTo = (section: Section, name: string): Schema => ({
  $ref: `#/components/${section}/${name}`,
});

/** An object schema. Absent `required` makes all members required. */
export const objectOf = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
  extra: Schema = {},
): Schema => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
  ...extra,
});

/** An object schema without additional properties, so that validators report misspelt members. */
export const closedObjectOf = (
  properties: Readonly<Record<string, Schema>>,
  required?: readonly string[],
): Schema => objectOf(properties, required, { additionalProperties: false });

/** Builds an object from one pair per item. */
export const toRecord = <T, V>(
  list: Iterable<T>,
  toPair: (item: T) => readonly [string, V],
): Record<string, V> => Object.fromEntries([...list].map(toPair));
