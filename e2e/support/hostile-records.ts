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

const scriptCall = `${CANARY}('ran')`;
const texts: readonly string[] = [
  `${MARK}"><img src=x onerror="${scriptCall}"><svg onload=${scriptCall}>`,
  `${MARK}</script></title></textarea><script>${scriptCall}</script>`,
  `javascript:${scriptCall}//${MARK}`,
  `${MARK}{{constructor.constructor("${scriptCall}")()}}\${${scriptCall}}<%= ${scriptCall} %>`,
  `${MARK}\u202E\u2066${scriptCall}\u2069<a href="javascript:${scriptCall}" onclick=${scriptCall}>x</a>`,
  `${MARK}<iframe srcdoc="<script>parent.${scriptCall}</script>"></iframe>${'<b onmouseover=x>'.repeat(600)}`,
];
const urls: readonly string[] = [
  `javascript:${scriptCall}//${MARK}`,
  `data:text/html,<script>${scriptCall}</script>${MARK}`,
  `https://evil.example/${MARK}"onmouseover="${scriptCall}`,
  `https://evil.example/${MARK}'%22%3E%3Cscript%3E${scriptCall}%3C/script%3E`,
];
const emails: readonly string[] = [
  `"${MARK}<svg/onload=${scriptCall}>"@example.com`,
  `${MARK}<img/src=x>@example.com`,
  `${MARK}'onload='1@example.com`,
];

const candidatesByType: Partial<Record<Field['type'], readonly string[]>> = {
  string: texts,
  slug: texts,
  url: urls,
  email: emails,
  phone: texts.slice(0, 1),
};

let textIndex = 0;

/** Returns hostile values for a field, worst first; none for fields without text. Each call starts with another text. */
function hostileValues(field: Field): readonly unknown[] {
  if (field.values) return [];
  const { type, max = Number.POSITIVE_INFINITY } = field;
  if (type === 'metadata')
    return [Object.fromEntries(texts.map((text, at) => [`${MARK}-${at}`, text.slice(0, 500)]))];
  if (type === 'strings' && !field.each) return [texts.map((text) => text.slice(0, 100))];
  const candidates = candidatesByType[type] ?? [];
  const start = candidates === texts ? textIndex++ % texts.length : 0;
  const values = [...candidates.slice(start), ...candidates.slice(0, start)].map((text) =>
    text.slice(0, max),
  );
  return [...values, ...(type === 'string' ? [MARK] : [])];
}

type Values = Record<string, unknown>;

/** Replaces the texts of existing members with hostile texts, except those in `refused`. */
function replaceMembers(value: unknown, field: Field, path: string, refused: Refused): unknown {
  if (Array.isArray(value))
    return value.map((member, at) =>
      replaceTexts(member as Values, field.members ?? {}, `${path}/${at}`, refused),
    );
  return replaceTexts(value as Values, field.members ?? {}, path, refused);
}

/** Number of refused hostile values, by pointer. */
type Refused = Map<string, number>;
type Fields = Readonly<Record<string, Field>>;

function replaceTexts(base: Values, fields: Fields, path: string, refused: Refused): Values {
  const values = { ...base };
  for (const [name, field] of Object.entries(fields)) {
    const pointer = `${path}/${name}`;
    if (field.members) {
      if (base[name]) values[name] = replaceMembers(base[name], field, pointer, refused);
      continue;
    }
    const value = chooseValues(pointer, field)[refused.get(pointer) ?? 0];
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** A field keeps its hostile values while a record is created. */
const chosenValues = new Map<string, readonly unknown[]>();
function chooseValues(pointer: string, field: Field): readonly unknown[] {
  const values = chosenValues.get(pointer) ?? hostileValues(field);
  chosenValues.set(pointer, values);
  return values;
}

const ATTEMPTS_MAX = 30;

/** Sends until the record is accepted. Each refused value is replaced with the next hostile value. */
async function sendUntilAccepted(
  send: (refused: Refused) => ReturnType<Client['send']>,
  label: string,
): Promise<ResourceObject> {
  chosenValues.clear();
  const refused: Refused = new Map();
  for (let attempts = 0; ; attempts++) {
    const { status, body } = await send(refused);
    if (status < 300) return body.data;
    const pointers = (body.errors ?? []).map(({ source }) => source?.pointer ?? '');
    const refusedFields = new Set(
      pointers.flatMap((pointer) =>
        [...chosenValues.keys()].filter((name) => isWithin(name, pointer)),
      ),
    );
    if (attempts === ATTEMPTS_MAX || refusedFields.size === 0)
      throw new Error(`${label}: ${JSON.stringify(body.errors)}`);
    for (const name of refusedFields) refused.set(name, (refused.get(name) ?? 0) + 1);
  }
}

/** Whether an error's pointer names the field, a part of it or its parent. */
const isWithin = (name: string, pointer: string): boolean =>
  name === pointer || pointer.startsWith(`${name}/`) || name.startsWith(`${pointer}/`);

const writableFields = (type: ResourceType, operation: 'create' | 'update'): Fields =>
  Object.fromEntries(
    Object.entries((resources[type] as Resource).fields as Fields).filter(
      ([name, field]) => field[operation] && !CARD_FIELDS.has(`${type}.${name}`),
    ),
  );

/** Fields that must stay valid, because they select the charged card. */
const CARD_FIELDS = new Set(['payment_methods.card_pan_token', 'payment_methods.card_cvv_token']);

const POINTER = '/data/attributes';

/** Creates a record with hostile text in every possible field. `extra` adds fixed values. */
export async function makeHostile(
  client: Client,
  type: ResourceType,
  extra: { readonly attributes?: object; readonly relations?: Relations } = {},
): Promise<ResourceObject> {
  const draft = await makerOf(type).makeDraft?.(client);
  const fields = writableFields(type, 'create');
  const base = { ...draft?.attributes, ...extra.attributes } as Values;
  const relations = { ...draft?.relations, ...extra.relations };
  return sendUntilAccepted((refused) => {
    const attributes = { ...replaceTexts(base, fields, POINTER, refused), ...extra.attributes };
    return client.send('POST', `/v2/${type}`, documentOf(type, attributes, relations));
  }, type);
}

/** Writes hostile text into an existing record. */
export function writeHostileTexts(
  client: Client,
  { type, id }: ResourceObject,
): Promise<ResourceObject> {
  const fields = writableFields(type as ResourceType, 'update');
  return sendUntilAccepted((refused) => {
    const attributes = replaceTexts({}, fields, POINTER, refused);
    return client.send('PATCH', `/v2/${type}/${id}`, documentOf(type, attributes, {}, id));
  }, type);
}

/** Creates or changes a hostile record of every type. Records that both modes share are changed with the live key. */
export async function makeHostileRecords(
  client: Client,
  live: Client,
  fixtures: Fixtures,
): Promise<ReadonlyMap<ResourceType, ResourceObject>> {
  const records = new Map<ResourceType, ResourceObject>();
  for (const type of Object.keys(resources) as ResourceType[]) {
    const operations = resources[type].operations as readonly string[];
    if (operations.includes('create')) records.set(type, await makeHostile(client, type));
    else if (operations.includes('update')) {
      const writer = resources[type].owner === 'mode' ? client : live;
      const record = await makerOf(type).makeRecord?.(writer, fixtures);
      if (record) records.set(type, await writeHostileTexts(writer, record));
    }
  }
  return records;
}
