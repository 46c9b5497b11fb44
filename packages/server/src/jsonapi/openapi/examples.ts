import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { Model } from '../model.ts';

type Attributes = Readonly<Record<string, unknown>>;

const UUID = '01987b6e-5a10-7c3e-9d42-6f1f0c2a7e51';
const INSTANT = '2026-01-15T09:30:00.000000Z';

/** Example values by field name, or by type and field name. Other fields get an example of their type. */
const exampleByName: Readonly<Record<string, unknown>> = {
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  description: 'Bought at the market stall',
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  amount_cents: 2500,
  card_pan_token: 'pan_test_visa',
  card_cvv_token: 'cvv_test',
  card_bin: '400551',
  last_four: '0004',
  expiry_month: 12,
  expiry_year: 2031,
  purchase_reference: 'order-1',
  idempotency_key: 'order-1-try-1',
  slug: 'monthly_plan',
  brand_color: '#7c3aed',
  category_code: '5992',
  threeds_version: '2.2.0',
  threeds_status: 'Y',
  threeds_cryptogram: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
  eci: '05',
  directory_transaction_eid: UUID,
  acs_transaction_eid: UUID,
  'refund_demands.amount_cents': 100,
  'capture_demands.amount_cents': 100,
  'risk_list_entries.kind': 'email',
  'risk_list_entries.value': 'mallory@example.com',
  'velocity_limits.window_seconds': 3600,
  'velocity_limits.max_count': 5,
  'payment_links.title': 'A dozen roses',
  'payment_links.url': 'https://pay.shop.example/l/4mWq0PZk7yB1xT9eGd2uHA',
  'payment_links.qr_svg_url': 'https://pay.shop.example/l/4mWq0PZk7yB1xT9eGd2uHA/qr.svg',
  'events.slug': 'created',
  'events.resource_type': 'consumer.customers',
  'webhook_subscriptions.url': 'http://localhost:9/hook',
  'webhook_subscriptions.events': ['transaction.payment_demands.succeeded'],
  'merchant_tokens.name': 'Our web server',
  'merchant_tokens.context': 'secret',
  'permissions.slug': 'consumer.customers.read',
};

const exampleByType: Readonly<Record<Field['type'], (field: Field) => unknown>> = {
  string: ({ min = 0 }) => 'text'.padEnd(min, ' text'),
  slug: () => 'monthly_plan',
  integer: ({ min, default: defaultValue }) => defaultValue ?? min ?? 0,
  boolean: ({ default: defaultValue }) => defaultValue ?? true,
  timestamp: () => INSTANT,
  date: () => '1985-12-10',
  email: () => 'ada@example.com',
  phone: () => '+12025550123',
  url: () => 'https://shop.example/',
  country: () => 'USA',
  currency: () => 'USD',
  timezone: () => 'America/New_York',
  uuid: () => UUID,
  enum: ({ values = [], default: defaultValue }) => defaultValue ?? values[0],
  strings: ({ values, each }) => [
    values?.[0] ?? (each ? exampleByType[each]({ type: each }) : 'text'),
  ],
  object: ({ members }) => (members ? sampleOf('', members) : {}),
  objects: ({ members }) => [members ? sampleOf('', members) : {}],
  metadata: () => ({ order_source: 'market' }),
};

const exampleValueOf = (type: string, name: string, field: Field): unknown =>
  exampleByName[`${type}.${name}`] ??
  (fitsField(field, exampleByName[name]) ? exampleByName[name] : exampleByType[field.type](field));

/** Whether an example value fits the field. Types may use one name for different values. */
const fitsField = ({ type, values }: Field, value: unknown): boolean =>
  value !== undefined &&
  (values ? values.includes(String(value)) : (type === 'integer') === (typeof value === 'number'));

const sampleOf = (type: string, fields: Readonly<Record<string, Field>>): Attributes =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, exampleValueOf(type, name, field)]),
  );

/** Optional attributes that the example of a create includes. */
const optionalAttributes: Readonly<Record<string, readonly string[]>> = {
  subscription_changes: ['amount_cents'],
  customers: ['name'],
  memberships: ['email'],
  capture_demands: ['amount_cents'],
  refund_demands: ['amount_cents'],
  payment_methods: ['card_pan_token', 'card_cvv_token', 'expiry_month', 'expiry_year'],
  risk_list_entries: ['value'],
  payment_demands: ['purchase_reference', 'purchase_kind'],
  payment_subscriptions: ['slug', 'billing_period'],
};

/** Example of a create. The server accepts it after its ids are replaced by real ones. */
export function createExample({ type, fields, relations }: Model): object {
  const attributes = [...fields.values()].filter(
    ({ name, definition }) =>
      (definition.create === 'required' && !definition.deprecated_for) ||
      (definition.create && optionalAttributes[type]?.includes(name)),
  );
  const namedRelations = [...relations.values()].filter(
    ({ definition }) => definition.create === 'required',
  );
  return {
    data: {
      type,
      attributes: samplesOf(type, attributes),
      ...(namedRelations.length > 0 && {
        relationships: Object.fromEntries(
          namedRelations.map(({ name, many, target }) => {
            const identifier = { type: target.type, id: UUID };
            return [name, { data: many ? [identifier] : identifier }];
          }),
        ),
      }),
    },
  };
}

/** Example of an update that sets the first writable field. */
export function updateExample({ type, fields }: Model): object {
  const settableFields = [...fields.values()].filter(({ definition }) => definition.update);
  const exampleField =
    settableFields.find(({ name }) => name === 'description') ?? settableFields[0];
  return {
    data: { type, id: UUID, attributes: samplesOf(type, exampleField ? [exampleField] : []) },
  };
}

/** Example attributes of actions that require attributes. */
const actionAttributes: Readonly<Record<string, Attributes>> = {
  'sandbox_clocks.advance': { by_seconds: 2_678_400 },
};

/** Example document of an action; undefined if the action takes no document. */
export function actionExample({ type }: Model, action: string): object {
  const attributes = actionAttributes[`${type}.${action}`];
  return { data: { type, id: UUID, ...(attributes && { attributes }) } };
}

const samplesOf = (
  type: string,
  fields: readonly { readonly name: string; readonly definition: Field }[],
): Attributes =>
  Object.fromEntries(
    fields.map(({ name, definition }) => [name, exampleValueOf(type, name, definition)]),
  );

/** Example record of a response. `base_url` is the origin of its links. */
export function recordExample({ type, fields, relations }: Model, base_url: string): object {
  const self = `${base_url}/v2/${type}/${UUID}`;
  return {
    type,
    id: UUID,
    attributes: samplesOf(
      type,
      [...fields.values()].filter(({ readable }) => readable),
    ),
    relationships: Object.fromEntries(
      [...relations.values()].map(({ name, many, target }) => [
        name,
        {
          links: {
            self: `${self}/relationships/${name}`,
            related: `${self}/relationships/${name}`,
          },
          ...(!many && { data: { type: target.type, id: UUID } }),
        },
      ]),
    ),
    links: { self },
  };
}
