import type { Field, Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import {
  type Client,
  documentOf,
  type Relations,
  type ResourceObject,
} from '../../packages/server/tests/support/client.ts';
import { makerOf } from '../../packages/server/tests/support/makers.ts';
import type { Fixtures } from '../../packages/server/tests/support/merchants.ts';

/** Part of every hostile text, by which a test finds the text on a page. */
export const MARK = 'h0stile';
/** Name of the function that scripts in hostile texts call. */
export const CANARY = 'florinCanary';

const call = `${CANARY}('ran')`;
const texts: readonly string[] = [
  `${MARK}"><img src=x onerror="${call}"><svg onload=${call}>`,
  `${MARK}</script></title></textarea><script>${call}</script>`,
  `javascript:${call}//${MARK}`,
  `${MARK}{{constructor.constructor("${call}")()}}\${${call}}<%= ${call} %>`,
  `${MARK}\u202E\u2066${call}\u2069<a href="javascript:${call}" onclick=${call}>x</a>`,
  `${MARK}<iframe srcdoc="<script>parent.${call}</script>"></iframe>${'<b onmouseover=x>'.repeat(600)}`,
];
const urls: readonly string[] = [
  `javascript:${call}//${MARK}`,
  `data:text/html,<script>${call}</script>${MARK}`,
  `https://evil.example/${MARK}"onmouseover="${call}`,
  `https://evil.example/${MARK}'%22%3E%3Cscript%3E${call}%3C/script%3E`,
];
const emails: readonly string[] = [
  `"${MARK}<svg/onload=${call}>"@example.com`,
  `${MARK}<img/src=x>@example.com`,
  `${MARK}'onload='1@example.com`,
];

const candidatesOf: Partial<Record<Field['type'], readonly string[]>> = {
  string: texts,
  slug: texts,
  url: urls,
  email: emails,
  phone: texts.slice(0, 1),
};

/**
 * Returns hostile values for a field, worst first; none for fields without text. Each call starts with another text.
 */
let turn = 0;
function hostileValues(field: Field): readonly unknown[] {
  if (field.values) return [];
  const { type, max = Number.POSITIVE_INFINITY } = field;
  if (type === 'metadata')
    return [Object.fromEntries(texts.map((text, at) => [`${MARK}-${at}`, text.slice(0, 500)]))];
  if (type === 'strings' && !field.each) return [texts.map((text) => text.slice(0, 100))];
  const known = candidatesOf[type] ?? [];
  const start = known === texts ? turn++ % texts.length : 0;
  const cut = [...known.slice(start), ...known.slice(0, start)].map((text) => text.slice(0, max));
  return [...cut, ...(type === 'string' ? [MARK] : [])];
}

type Values = Record<string, unknown>;

/** Replaces the texts of existing members with hostile texts, except those in `avoid`. */
function within(value: unknown, field: Field, path: string, avoid: Refused): unknown {
  if (Array.isArray(value))
    return value.map((each, at) =>
      withHostile(each as Values, field.members ?? {}, `${path}/${at}`, avoid),
    );
  return withHostile(value as Values, field.members ?? {}, path, avoid);
}

/** Number of refused hostile values, by pointer. */
type Refused = Map<string, number>;
type Fields = Readonly<Record<string, Field>>;

function withHostile(base: Values, fields: Fields, path: string, refused: Refused): Values {
  const made = { ...base };
  for (const [name, field] of Object.entries(fields)) {
    const pointer = `${path}/${name}`;
    if (field.members) {
      if (base[name]) made[name] = within(base[name], field, pointer, refused);
      continue;
    }
    const value = hostileOnce(pointer, field)[refused.get(pointer) ?? 0];
    if (value !== undefined) made[name] = value;
  }
  return made;
}

/** A field keeps its hostile values while a record is created. */
const chosen = new Map<string, readonly unknown[]>();
function hostileOnce(pointer: string, field: Field): readonly unknown[] {
  const known = chosen.get(pointer) ?? hostileValues(field);
  chosen.set(pointer, known);
  return known;
}

const TRIES_MAX = 30;

/** Sends until the record is accepted. Each refused value is replaced with the next hostile value. */
async function untilTaken(
  send: (refused: Refused) => ReturnType<Client['send']>,
  what: string,
): Promise<ResourceObject> {
  chosen.clear();
  const refused: Refused = new Map();
  for (let tries = 0; ; tries++) {
    const { status, body } = await send(refused);
    if (status < 300) return body.data;
    const pointers = (body.errors ?? []).map(({ source }) => source?.pointer ?? '');
    const culprits = new Set(
      pointers.flatMap((pointer) => [...chosen.keys()].filter((name) => isWithin(name, pointer))),
    );
    if (tries === TRIES_MAX || culprits.size === 0)
      throw new Error(`${what}: ${JSON.stringify(body.errors)}`);
    for (const name of culprits) refused.set(name, (refused.get(name) ?? 0) + 1);
  }
}

/** Whether an error's pointer names the field, a part of it or its parent. */
const isWithin = (name: string, pointer: string): boolean =>
  name === pointer || pointer.startsWith(`${name}/`) || name.startsWith(`${pointer}/`);

const writable = (type: ResourceType, operation: 'create' | 'update'): Fields =>
  Object.fromEntries(
    Object.entries((resources[type] as Resource).fields as Fields).filter(
      ([name, field]) => field[operation] && !SECRETS.has(`${type}.${name}`),
    ),
  );

/** Fields that must stay valid, because they select the charged card. */
const SECRETS = new Set(['payment_methods.card_pan_token', 'payment_methods.card_cvv_token']);

const POINTER = '/data/attributes';

/** Creates a record with hostile text in every possible field. `extra` adds fixed values. */
export async function makeHostile(
  client: Client,
  type: ResourceType,
  extra: { readonly attributes?: object; readonly relations?: Relations } = {},
): Promise<ResourceObject> {
  const draft = await makerOf(type).makeDraft?.(client);
  const fields = writable(type, 'create');
  const base = { ...draft?.attributes, ...extra.attributes } as Values;
  const relations = { ...draft?.relations, ...extra.relations };
  return untilTaken((refused) => {
    const attributes = { ...withHostile(base, fields, POINTER, refused), ...extra.attributes };
    return client.send('POST', `/v2/${type}`, documentOf(type, attributes, relations));
  }, type);
}

/** Writes hostile text into an existing record. */
export function spoil(client: Client, { type, id }: ResourceObject): Promise<ResourceObject> {
  const fields = writable(type as ResourceType, 'update');
  return untilTaken((refused) => {
    const attributes = withHostile({}, fields, POINTER, refused);
    return client.send('PATCH', `/v2/${type}/${id}`, documentOf(type, attributes, {}, id));
  }, type);
}

/** Creates or changes a hostile record of every type. */
export async function makeHostileRecords(
  client: Client,
  books: Fixtures,
): Promise<ReadonlyMap<ResourceType, ResourceObject>> {
  const made = new Map<ResourceType, ResourceObject>();
  for (const type of Object.keys(resources) as ResourceType[]) {
    const operations = resources[type].operations as readonly string[];
    if (operations.includes('create')) made.set(type, await makeHostile(client, type));
    else if (operations.includes('update')) {
      const record = await makerOf(type).makeRecord?.(client, books);
      if (record) made.set(type, await spoil(client, record));
    }
  }
  return made;
}
