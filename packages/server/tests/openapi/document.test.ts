import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventCodes } from '@florin/contract/resources/event-codes.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Behaviours } from '../../src/jsonapi/behaviour.ts';
import { compileModels, type Models } from '../../src/jsonapi/model.ts';
import type { Reader } from '../../src/jsonapi/read.ts';
import type { Recall } from '../../src/jsonapi/recall.ts';
import { registerRoutes } from '../../src/jsonapi/routes.ts';
import { describeInterface } from '../../src/openapi/document.ts';
import { generatedFiles } from '../../src/openapi/files.ts';
import { operationsOf } from '../../src/openapi/operations.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const models = compileModels(resources);
const text = JSON.stringify(describeInterface(models, 'http://localhost:4000'));

it.each(Object.entries(generatedFiles(models)))(
  '%s is what the definitions generate; npm run openapi writes it',
  (path, generated) => {
    const committed = readFileSync(join(ROOT, path), 'utf8');
    expect(committed === generated, `run npm run openapi: ${path} is out of date`).toBe(true);
  },
);

describe('the document', () => {
  it('is one of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(text));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('refers to components that it has, and has none that nothing refers to', () => {
    const used = new Set([...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name));
    const { components } = JSON.parse(text);
    const had = ['schemas', 'parameters', 'headers', 'responses'].flatMap((section) =>
      Object.keys(components[section]).map((name) => `${section}/${name}`),
    );
    expect([...used].filter((name) => !had.includes(name ?? ''))).toEqual([]);
    expect(had.filter((name) => !used.has(name))).toEqual([]);
  });

  it('says in words alone what a field is where it is left out, as generators make defaults required', () => {
    expect(Object.values(requests()).join().includes('"default"')).toBe(false);
    expect(requests().PaymentDemandCreateRequest).toContain(
      'Where it is left out: `\\"automatic\\"`',
    );
  });

  it('lists every event code where webhooks are asked for', () => {
    for (const code of eventCodes) {
      expect(requests().WebhookSubscriptionCreateRequest).toContain(`"${code}"`);
    }
  });

  it('says that a state is never null', () => {
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

  it('stays of a size that tools open', () => {
    expect(text.length).toBeLessThan(2_000_000);
  });

  it('calls every operation by a name of its own, fit for a function', () => {
    const ids = operationsOf(models).map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it('has the operations that the interface was specified with', () => {
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

/** The schemas of what is sent, as JSON by their names. */
const requests = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(JSON.parse(text).components.schemas)
      .filter(([name]) => name.endsWith('Request'))
      .map(([name, schema]) => [name, JSON.stringify(schema)]),
  );

it('describes exactly the addresses and methods that are routed', async () => {
  const described = Map.groupBy(operationsOf(models), ({ path }) => path);
  const routed = await routedMethods(models);
  expect([...routed.keys()].toSorted()).toEqual([...described.keys()].toSorted());
  for (const [path, operations] of described) {
    const methods = operations.map(({ method }) => method.toUpperCase());
    expect(routed.get(path)?.toSorted(), path).toEqual(methods.toSorted());
  }
});

/** The methods of each address as the router itself tells them; HEAD, OPTIONS and PUT follow from the others. */
async function routedMethods(all: Models): Promise<Map<string, string[]>> {
  const app = Fastify();
  const urls = new Set<string>();
  app.addHook('onRoute', ({ url }) => {
    urls.add(url);
  });
  registerRoutes(app, {
    models: all,
    behaviours: willingBehaviours(all),
    reader: {} as Reader,
    recall: {} as Recall,
    authenticate: () => {
      throw new Error('nobody asks');
    },
    report: () => {},
  });
  const methods = new Map<string, string[]>();
  for (const url of urls) {
    const { headers } = await app.inject({ method: 'OPTIONS', url });
    const allowed = String(headers.allow).split(', ');
    methods.set(
      url.replace(':id', '{id}'),
      allowed.filter((method) => !['HEAD', 'OPTIONS', 'PUT'].includes(method)),
    );
  }
  return methods;
}

/** Behaviours that are only there. */
function willingBehaviours(all: Models): Behaviours {
  const never = () => Promise.reject(new Error('nobody writes'));
  return Object.fromEntries(
    all.all.map(({ type, resource: { actions = {} } }) => [
      type,
      {
        create: never,
        update: never,
        actions: Object.fromEntries(Object.keys(actions).map((name) => [name, never])),
      },
    ]),
  );
}
