import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventCodes } from '@florin/contract/resources/event-codes.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { AMOUNT_MAX } from '@florin/contract/risk/amounts.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Behaviours } from '../../src/jsonapi/behaviour.ts';
import { compileModels, type Models } from '../../src/jsonapi/model.ts';
import { describeInterface } from '../../src/jsonapi/openapi/document.ts';
import { generatedFiles } from '../../src/jsonapi/openapi/files.ts';
import { operationsOf } from '../../src/jsonapi/openapi/operations.ts';
import type { IdempotencyLookup } from '../../src/jsonapi/reading/idempotency-lookup.ts';
import type { Reader } from '../../src/jsonapi/reading/read.ts';
import { registerRoutes } from '../../src/jsonapi/routes.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const models = compileModels(resources);
const text = JSON.stringify(describeInterface(models, 'http://localhost:4000'));

it.each(Object.entries(generatedFiles(models)))(
  '%s is generated from the definitions; npm run openapi writes it',
  (path, generatedText) => {
    const committedText = readFileSync(join(ROOT, path), 'utf8');
    expect(committedText === generatedText, `run npm run openapi: ${path} is out of date`).toBe(
      true,
    );
  },
);

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(text));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(JSON.parse(text).openapi).toBe('3.1.0');
  });

  it('requires no header that HTTP clients send automatically', () => {
    const { components, paths } = JSON.parse(text);
    const requiredHeaders = Object.values<Json>(components.parameters).filter(
      (parameter) => parameter.in === 'header' && parameter.required,
    );
    expect(requiredHeaders).toEqual([]);
    expect(Object.keys(paths).length).toBeGreaterThan(100);
  });

  it('has examples that fit their schemas', () => {
    const ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      validateSchema: false,
      // Each schema validates one example, so optimising its validator would take longer than it saves.
      code: { optimize: false },
      inlineRefs: false,
    });
    formats.default(ajv);
    const { components, paths } = JSON.parse(text);
    ajv.addSchema({ $id: 'openapi', components });
    const violations = examplesOf(components.schemas, paths).flatMap(({ name, $ref, example }) => {
      const validate = ajv.compile({ $ref: `openapi${$ref}` });
      validate(example);
      return (validate.errors ?? []).map(
        ({ instancePath, message }) => `${name}${instancePath} ${message}`,
      );
    });
    expect(violations).toEqual([]);
  });

  it('limits the length and size of all sent values', () => {
    const { components } = JSON.parse(text);
    const requestSchemas = [
      ...Object.entries<Json>(components.schemas).filter(([name]) => isRequest(name)),
      ...Object.entries<Json>(components.parameters).map(([name, { schema }]): [string, Json] => [
        name,
        schema as Json,
      ]),
    ];
    expect(requestSchemas.flatMap(([name, schema]) => findUnbounded(schema, name))).toEqual([]);
    const { amount_cents } =
      components.schemas.PaymentDemandCreateRequest.properties.data.properties.attributes
        .properties;
    expect(amount_cents.maximum).toBe(AMOUNT_MAX);
  });

  it('describes, at every address, the errors of every request and the limits of the key', () => {
    const operations = Object.entries<Record<string, Json>>(JSON.parse(text).paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => ({
          name: `${method} ${path}`,
          responses: responses as Record<string, { headers?: Json }>,
        })),
    );
    const incomplete = operations.filter(({ responses }) => {
      const { headers = {} } = responses[200] ?? responses[201] ?? {};
      return !(
        ['400', '401', '403', '429', '500', '503'].every((status) => status in responses) &&
        ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'].every((header) => header in headers)
      );
    });
    expect(incomplete.map(({ name }) => name)).toEqual([]);
  });

  it('refers only to its own components, and has no unused ones', () => {
    const usedNames = new Set(
      [...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name),
    );
    const { components } = JSON.parse(text);
    const componentNames = ['schemas', 'parameters', 'headers', 'responses'].flatMap((section) =>
      Object.keys(components[section]).map((name) => `${section}/${name}`),
    );
    expect([...usedNames].filter((name) => !componentNames.includes(name ?? ''))).toEqual([]);
    expect(componentNames.filter((name) => !usedNames.has(name))).toEqual([]);
  });

  it('describes defaults in words only, as generators make fields with defaults required', () => {
    expect(Object.values(readRequestSchemas()).join().includes('"default"')).toBe(false);
    expect(readRequestSchemas().PaymentDemandCreateRequest).toContain('Default: `\\"automatic\\"`');
  });

  it('lists every event code for webhook subscriptions', () => {
    const request = readRequestSchemas().WebhookSubscriptionCreateRequest;
    expect(eventCodes.filter((code) => !request?.includes(`"${code}"`))).toEqual([]);
  });

  it('says that a status is never null', () => {
    const { status, processor_state } =
      JSON.parse(text).components.schemas.PaymentDemandAttributes.properties;
    expect([status.type, processor_state.type]).toEqual(['string', 'string']);
  });

  it.each([
    ['filter.payment_demands.created_at.-gte', 'filter[created_at][gte]', 'string'],
    ['filter.payment_demands.amount_cents.-lt', 'filter[amount_cents][lt]', 'integer'],
    ['filter.customers.name.-like', 'filter[name][like]', 'string'],
    ['filter.customers.phone_number.-null', 'filter[phone_number][null]', 'boolean'],
    ['filter.payment_demands.payer.-ne', 'filter[payer][ne]', 'array'],
    ['filter.to.customers.payer.email', 'filter[payer.email]', 'array'],
  ])('has a parameter %s', (component, name, type) => {
    const parameter = JSON.parse(text).components.parameters[component];
    expect([parameter.name, parameter.schema.type]).toEqual([name, type]);
  });

  it('stays at a size that tools can open', () => {
    expect(text.length).toBeLessThan(2_200_000);
  });

  it('gives every operation its own name, usable as a function name', () => {
    const ids = operationsOf(models).map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it('has all specified operations', () => {
    const ids = operationsOf(models).map(({ id }) => id);
    for (const id of [
      'listCustomers',
      'createCustomer',
      'fetchCustomer',
      'updateCustomer',
      'confirmPaymentDemand',
      'fetchPaymentDemandPayer',
      'listCustomerAddresses',
      'fetchPersonalIdentificationLegalAddress',
    ]) {
      expect(ids).toContain(id);
    }
  });
});

type Json = Readonly<Record<string, unknown>>;

/** Bodies of writes; `ApiRequest` is a record. */
const isRequest = (name: string): boolean => name.endsWith('Request') && name !== 'ApiRequest';

interface Example {
  readonly name: string;
  readonly $ref: string;
  readonly example: unknown;
}

/** Every example of the document, with its schema. */
function examplesOf(
  schemas: Readonly<Record<string, Json>>,
  paths: Readonly<Record<string, Readonly<Record<string, Json>>>>,
): Example[] {
  const records = Object.entries(schemas).flatMap(([name, { examples = [] }]) =>
    (examples as unknown[]).map((example) => ({
      name,
      $ref: `#/components/schemas/${name}`,
      example,
    })),
  );
  const bodies = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, requestBody }) => {
      const contentByType = (requestBody as { content: Record<string, Json> } | undefined)?.content;
      const { schema, example } = contentByType?.['application/vnd.api+json'] ?? {};
      if (!example) return [];
      return [{ name: String(operationId), $ref: (schema as { $ref: string }).$ref, example }];
    }),
  );
  expect([records.length, bodies.length].every((count) => count > 30)).toBe(true);
  return [...records, ...bodies];
}

/** Values of these formats have a fixed length. */
const FIXED_LENGTH_FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time']);

/** Locations in a schema that accept a text, number or list of any size. */
function findUnbounded(schema: unknown, pointer: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, enum: values, const: constant, format, ...limits } = schema as Json;
  const types = [type].flat();
  const isBounded =
    values !== undefined || constant !== undefined || FIXED_LENGTH_FORMATS.has(format);
  const isUnbounded = [
    types.includes('string') && !isBounded && limits.maxLength === undefined,
    types.includes('integer') && limits.maximum === undefined,
    types.includes('array') && limits.maxItems === undefined,
  ].some(Boolean);
  const memberPointers = Object.entries(limits).flatMap(([name, member]) =>
    name === 'default' ? [] : findUnbounded(member, `${pointer}/${name}`),
  );
  return isUnbounded ? [pointer, ...memberPointers] : memberPointers;
}

/** Request schemas as JSON, by name. */
const readRequestSchemas = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(JSON.parse(text).components.schemas)
      .filter(([name]) => isRequest(name))
      .map(([name, schema]) => [name, JSON.stringify(schema)]),
  );

it('describes exactly the routed addresses and methods', async () => {
  const operationsByPath = Map.groupBy(operationsOf(models), ({ path }) => path);
  const methodsByPath = await readRoutedMethods(models);
  expect([...methodsByPath.keys()].toSorted()).toEqual([...operationsByPath.keys()].toSorted());
  for (const [path, operations] of operationsByPath) {
    const methods = operations.map(({ method }) => method.toUpperCase());
    expect(methodsByPath.get(path)?.toSorted(), path).toEqual(methods.toSorted());
  }
});

/** Whether a method follows from the others: POST of an action is another name for its PATCH. */
const isImplied = (method: string, methods: readonly string[]): boolean =>
  ['HEAD', 'OPTIONS', 'PUT'].includes(method) || (method === 'POST' && methods.includes('PATCH'));

/** Methods of each address as the router reports them, without implied ones. */
async function readRoutedMethods(allModels: Models): Promise<Map<string, string[]>> {
  const app = Fastify();
  const urls = new Set<string>();
  app.addHook('onRoute', ({ url }) => {
    urls.add(url);
  });
  registerRoutes(app, {
    models: allModels,
    behaviours: unusedBehaviours(allModels),
    reader: {} as Reader,
    idempotencyLookup: {} as IdempotencyLookup,
    authenticate: () => {
      throw new Error('nobody asks');
    },
    base_url: 'http://localhost:4000',
    report: () => {},
  });
  const methods = new Map<string, string[]>();
  for (const url of urls) {
    const { headers } = await app.inject({ method: 'OPTIONS', url });
    const allowedMethods = String(headers.allow).split(', ');
    methods.set(
      url.replace(':id', '{id}'),
      allowedMethods.filter((method) => !isImplied(method, allowedMethods)),
    );
  }
  return methods;
}

/** Behaviours that are never called. */
function unusedBehaviours(allModels: Models): Behaviours {
  const rejectCall = () => Promise.reject(new Error('nobody writes'));
  return Object.fromEntries(
    allModels.all.map(({ type, resource: { actions = {} } }) => [
      type,
      {
        create: rejectCall,
        update: rejectCall,
        actions: Object.fromEntries(Object.keys(actions).map((name) => [name, rejectCall])),
      },
    ]),
  );
}
