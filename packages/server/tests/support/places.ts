import type { Field, Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import type { Api } from './api.ts';
import { type Answer, documentOf, type Relations, type ResourceObject } from './client.ts';
import { makerOf } from './makers.ts';

/** Position of a value in a request: an attribute, or a member of an attribute. */
export interface Place {
  readonly type: ResourceType;
  readonly operation: 'create' | 'update';
  /** Pointer below the attributes, such as `line_items/0/tax_cents`. */
  readonly pointer: string;
  readonly field: Field;
  /** Whether the position is a member of an attribute. */
  readonly isPart: boolean;
  /** Makes the attribute with this value, and otherwise only required members. */
  readonly holding: (value: unknown) => object;
}

/** Positions of all wanted fields, including fields of future definitions. */
export const placesOf = (isWanted: (name: string, field: Field) => boolean): Place[] =>
  (Object.values(resources) as Resource[]).flatMap(({ type, operations, fields }) =>
    Object.entries(fields).flatMap(([name, field]) =>
      (['create', 'update'] as const)
        .filter((operation) => operations.includes(operation) && field[operation])
        .flatMap((operation) =>
          spotsOf(name, field)
            .filter((spot) => isWanted(spot.name, spot.field))
            .map((spot) => ({ type: type as ResourceType, operation, ...spot })),
        ),
    ),
  );

function spotsOf(name: string, field: Field) {
  const { members } = field;
  if (!members) {
    return [
      {
        name,
        pointer: name,
        field,
        isPart: false,
        holding: (value: unknown) => ({ [name]: value }),
      },
    ];
  }
  const isList = field.type === 'objects';
  return Object.entries(members).map(([member, inner]) => ({
    name: member,
    pointer: `${name}/${isList ? '0/' : ''}${member}`,
    field: inner,
    isPart: true,
    holding(value: unknown) {
      const one = { ...neededOf(members), [member]: value };
      return { [name]: isList ? [one] : one };
    },
  }));
}

const neededOf = (members: Readonly<Record<string, Field>>): object =>
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
  send(place: Place, json: string): Promise<Answer>;
  /** For updates, the record that the position belongs to. For creates, the number of records. */
  readStored(place: Place): Promise<unknown>;
}

const PLACEHOLDER = 'PLACEHOLDER';

/** Creates a sender, which makes each type's record and draft once. */
export function createSender(api: Api): Sender {
  const drafts = new Map<ResourceType, Promise<Draft>>();
  const records = new Map<ResourceType, Promise<ResourceObject>>();
  const draftOf = (type: ResourceType): Promise<Draft> =>
    once(drafts, type, () => makeDraft(api, type));
  const recordOf = (type: ResourceType): Promise<ResourceObject> =>
    once(records, type, async () => {
      const { record } = makerOf(type);
      if (record) return record(api.client, api.fixtures);
      const { attributes, relations } = await draftOf(type);
      return api.client.make(type, attributes, relations);
    });
  return {
    async send({ type, operation, holding }, json) {
      const value = holding(PLACEHOLDER);
      const [method, path, document] =
        operation === 'create'
          ? (['POST', `/v2/${type}`, await createWith(draftOf(type), type, value)] as const)
          : await updateWith(recordOf(type), value);
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
  const { draft: make } = makerOf(type);
  if (!make) throw new Error(`support/make.ts has no draft of ${type}`);
  return make(api.client);
}

async function createWith(draft: Promise<Draft>, type: ResourceType, value: object) {
  const { attributes, relations } = await draft;
  return documentOf(type, { ...attributes, ...value }, relations);
}

async function updateWith(record: Promise<ResourceObject>, value: object) {
  const { type, id } = await record;
  return ['PATCH', `/v2/${type}/${id}`, documentOf(type, value, {}, id)] as const;
}

function once<Key, Value>(made: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = made.get(key) ?? make();
  made.set(key, value);
  return value;
}
