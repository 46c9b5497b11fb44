import type { Field, Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import type { Api } from './api.ts';
import { type Answer, documentOf, type Relations, type ResourceObject } from './client.ts';
import { makerOf } from './makers.ts';

/** Position of a value in a request: an attribute, or a member of an attribute. */
export interface ValuePosition {
  readonly type: ResourceType;
  readonly operation: 'create' | 'update';
  /** Pointer below the attributes, such as `line_items/0/tax_cents`. */
  readonly pointer: string;
  readonly field: Field;
  /** Whether the position is a member of an attribute. */
  readonly isMember: boolean;
  /** Makes the attribute with this value, and otherwise only required members. */
  readonly buildAttributes: (value: unknown) => object;
}

/** Positions of all wanted fields, including fields of future definitions. */
export const positionsOf = (isWanted: (name: string, field: Field) => boolean): ValuePosition[] =>
  (Object.values(resources) as Resource[]).flatMap(({ type, operations, fields }) =>
    Object.entries(fields).flatMap(([name, field]) =>
      (['create', 'update'] as const)
        .filter((operation) => operations.includes(operation) && field[operation])
        .flatMap((operation) =>
          positionsInField(name, field)
            .filter((position) => isWanted(position.name, position.field))
            .map((position) => ({ type: type as ResourceType, operation, ...position })),
        ),
    ),
  );

function positionsInField(name: string, field: Field) {
  const { members } = field;
  if (!members) {
    return [
      {
        name,
        pointer: name,
        field,
        isMember: false,
        buildAttributes: (value: unknown) => ({ [name]: value }),
      },
    ];
  }
  const isList = field.type === 'objects';
  return Object.entries(members).map(([member, memberField]) => ({
    name: member,
    pointer: `${name}/${isList ? '0/' : ''}${member}`,
    field: memberField,
    isMember: true,
    buildAttributes(value: unknown) {
      const memberObject = { ...requiredMembersOf(members), [member]: value };
      return { [name]: isList ? [memberObject] : memberObject };
    },
  }));
}

const requiredMembersOf = (members: Readonly<Record<string, Field>>): object =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([, { create }]) => create === 'required')
      .map(([name, field]) => [name, sampleOf(field)]),
  );

function sampleOf({ type, min = 1 }: Field): string | number {
  if (type === 'currency') return 'USD';
  return type === 'integer' ? Math.max(min, 1) : 'x';
}

/** Sends values at positions, and reads the records before and after. */
export interface Sender {
  /** Sends a value as JSON text, which may be a number that JavaScript cannot represent. */
  send(position: ValuePosition, json: string): Promise<Answer>;
  /** For updates, the record that the position belongs to. For creates, the number of records. */
  readStored(position: ValuePosition): Promise<unknown>;
}

const PLACEHOLDER = 'PLACEHOLDER';

/** Creates a sender, which makes each type's record and draft once. */
export function createSender(api: Api): Sender {
  const drafts = new Map<ResourceType, Promise<Draft>>();
  const records = new Map<ResourceType, Promise<ResourceObject>>();
  const draftOf = (type: ResourceType): Promise<Draft> =>
    memoize(drafts, type, () => makeDraft(api, type));
  const recordOf = (type: ResourceType): Promise<ResourceObject> =>
    memoize(records, type, async () => {
      const { makeRecord } = makerOf(type);
      if (makeRecord) return makeRecord(api.client, api.fixtures);
      const { attributes, relations } = await draftOf(type);
      return api.client.make(type, attributes, relations);
    });
  return {
    async send({ type, operation, buildAttributes }, json) {
      const value = buildAttributes(PLACEHOLDER);
      const [method, path, document] =
        operation === 'create'
          ? (['POST', `/v2/${type}`, await buildCreate(draftOf(type), type, value)] as const)
          : await buildUpdate(recordOf(type), value);
      const text = JSON.stringify(document).replace(`"${PLACEHOLDER}"`, json);
      return api.client.send(method, path, text);
    },
    async readStored({ type, operation }) {
      if (operation === 'update') return api.client.fetch(type, (await recordOf(type)).id);
      await draftOf(type);
      const [row] = await api.fixtures.db.query(`select count(*) from ${type}`, []);
      return row?.count;
    },
  };
}

interface Draft {
  readonly attributes: object;
  readonly relations?: Relations;
}

async function makeDraft(api: Api, type: ResourceType): Promise<Draft> {
  const { makeDraft: make } = makerOf(type);
  if (!make) throw new Error(`support/make.ts has no draft of ${type}`);
  return make(api.client);
}

async function buildCreate(draft: Promise<Draft>, type: ResourceType, value: object) {
  const { attributes, relations } = await draft;
  return documentOf(type, { ...attributes, ...value }, relations);
}

async function buildUpdate(record: Promise<ResourceObject>, value: object) {
  const { type, id } = await record;
  return ['PATCH', `/v2/${type}/${id}`, documentOf(type, value, {}, id)] as const;
}

function memoize<Key, Value>(cache: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = cache.get(key) ?? make();
  cache.set(key, value);
  return value;
}
