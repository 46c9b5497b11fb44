import { findRawCard } from '@florin/contract/card/scan.ts';
import type { Field, Resource } from '@florin/contract/resources/define-resource.ts';
import type { Models } from '../../jsonapi/model.ts';
import { isUuid } from '../../platform/ids.ts';
import {
  isClean,
  isMistake,
  isPlainName,
  isSecret,
  MASKED,
  originOf,
  REDACTED,
  scalarOf,
  shownValue,
} from './shown.ts';

type Fields = Readonly<Record<string, Field>>;
type Members = Readonly<Record<string, unknown>>;

/** Bytes; larger bodies are not parsed. */
const BODY_BYTES_MAX = 64 * 1024;
/** Largest stored document in bytes. */
export const STORED_BYTES_MAX = 16 * 1024;
const MEMBERS_MAX = 200;
const ITEMS_MAX = 100;
const DEPTH_MAX = 6;
/** Maximum length of the server's own texts, in characters. */
const SENTENCE_MAX = 2_000;

/**
 * Redacts a body: returns JSON text with the values that resource definitions allow. Null for
 * bodies that are no JSON:API document, contain a card number or are too large.
 */
export type Redactor = (body: Buffer | undefined) => string | null;

export function createRedactor({ all }: Pick<Models, 'all'>): Redactor {
  const fieldsByType = new Map(all.map(({ type, resource }) => [type, requestFieldsOf(resource)]));
  const fieldsOfType = (type: unknown): RequestFields =>
    (typeof type === 'string' && fieldsByType.get(type)) || { fields: {}, meta: {} };
  return (body) => {
    if (!body || body.length === 0 || body.length > BODY_BYTES_MAX) return null;
    const document = parseBody(body);
    if (!isMembers(document) || findRawCard(document)) return null;
    const shown = redactDocument(document, fieldsOfType);
    const text = JSON.stringify(shown);
    return Buffer.byteLength(text) > STORED_BYTES_MAX || findRawCard(shown) ? null : text;
  };
}

/** Known fields in requests of a type: attributes, attributes of its actions, and `meta`. */
interface RequestFields {
  readonly fields: Fields;
  readonly meta: Fields;
}

const requestFieldsOf = ({ fields, actions = {}, meta = {} }: Resource): RequestFields => ({
  fields: {
    ...Object.assign({}, ...Object.values(actions).map((action) => action.fields)),
    ...fields,
  },
  meta,
});

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Find = (type: unknown) => RequestFields;

const mapValues = <T>(value: unknown, show: (item: unknown) => T): T | T[] =>
  Array.isArray(value) ? value.slice(0, ITEMS_MAX).map((item) => show(item)) : show(value);

function redactDocument(document: Members, fieldsOfType: Find): Members {
  const redactRecords = (value: unknown) =>
    mapValues(value, (record) => recordOf(record, fieldsOfType));
  return shownMembers({
    data: document.data === undefined ? undefined : redactRecords(document.data),
    included: document.included === undefined ? undefined : redactRecords(document.included),
    errors: document.errors === undefined ? undefined : mapValues(document.errors, plainValue),
    meta: document.meta === undefined ? undefined : plainValue(document.meta),
  });
}

/** Leaves out undefined members. The names are those of JSON:API. */
function shownMembers(members: Members): Members {
  const shown: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== undefined) shown[name] = value;
  }
  return shown;
}

function recordOf(record: unknown, fieldsOfType: Find): unknown {
  if (!isMembers(record)) return scalarOf(record);
  const { type, id, attributes, relationships, meta } = record;
  return shownMembers({
    ...identifierOf({ type, id }),
    attributes: isMembers(attributes)
      ? membersOf(attributes, fieldsOfType(type).fields)
      : undefined,
    relationships: isMembers(relationships) ? redactLinkages(relationships) : undefined,
    meta: isMembers(meta) ? metaOf(meta, fieldsOfType(type).meta) : undefined,
  });
}

/** Clients choose names, and every object inherits `constructor`. */
const fieldNamed = (fields: Fields, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

const metaOf = (meta: Members, fields: Fields): unknown =>
  eachMember(meta, (name, value) => {
    const field = fieldNamed(fields, name);
    return field && isSecret(field) ? REDACTED : plainValue(value);
  });

const identifierOf = ({ type, id }: Members): Members => ({
  type: type === undefined ? undefined : wordOf(type),
  id: id === undefined ? undefined : typeof id === 'string' && isUuid(id) ? id : REDACTED,
});

const wordOf = (value: unknown): string =>
  typeof value === 'string' && isPlainName(value) ? value : REDACTED;

function redactLinkages(relationships: Members): Members {
  return eachMember(relationships, (_name, relationship) => {
    const data = isMembers(relationship) ? relationship.data : undefined;
    const showIdentifier = (value: unknown) =>
      isMembers(value) ? shownMembers(identifierOf(value)) : scalarOf(value);
    return data === undefined ? undefined : { data: mapValues(data, showIdentifier) };
  });
}

const membersOf = (members: Members, fields: Fields): Members =>
  eachMember(members, (name, value) => memberOf(name, fieldNamed(fields, name), value));

function memberOf(name: string, field: Field | undefined, value: unknown): unknown {
  if (!field || isSecret(field)) return value === null ? null : REDACTED;
  if (typeof value !== 'object' || value === null) return shownValue(name, field, value);
  if (field.type === 'strings') return mapValues(value, (item) => stringOf(field, item));
  // The names of metadata are the merchant's own; the values may be personal.
  if (field.type === 'metadata' && isMembers(value)) return eachMember(value, () => MASKED);
  const { members } = field;
  if (!members) return MASKED;
  return mapValues(value, (item) => (isMembers(item) ? membersOf(item, members) : REDACTED));
}

/** Shown form of a text in a list: a value of a closed set, a currency, or an address's origin. */
function stringOf({ values, each }: Field, value: unknown): string {
  if (typeof value !== 'string') return REDACTED;
  if (values) return values.includes(value) || isMistake(value, values) ? value : REDACTED;
  if (each === 'currency') return /^[A-Z]{3}$/.test(value) ? value : REDACTED;
  return originOf(value);
}

/** Members with unknown names are only counted, since a name can be a secret too. */
function eachMember(members: Members, show: (name: string, value: unknown) => unknown): Members {
  const names = Object.keys(members);
  const shownNames = names.filter(isPlainName).slice(0, MEMBERS_MAX);
  const hiddenCount = names.length - shownNames.length;
  const shown: Record<string, unknown> = {};
  for (const name of shownNames) {
    const value = show(name, members[name]);
    if (value !== undefined) shown[name] = value;
  }
  if (hiddenCount > 0) shown[REDACTED] = hiddenCount;
  return shown;
}

/** Shown form of the service's own texts in errors and `meta`, which contain no client data. */
function plainValue(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_MAX) return REDACTED;
  if (typeof value === 'string') return isClean(value, SENTENCE_MAX) ? value : REDACTED;
  if (Array.isArray(value)) {
    return value.slice(0, ITEMS_MAX).map((item) => plainValue(item, depth + 1));
  }
  if (!isMembers(value)) return scalarOf(value);
  const { links: _links, ...members } = value;
  return eachMember(members, (_name, member) => plainValue(member, depth + 1));
}
