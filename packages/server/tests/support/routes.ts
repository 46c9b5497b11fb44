import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { documentOf } from './client.ts';

/** A declared route of the API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path with `{id}` for the id of a record of `type`. */
  readonly template: string;
  readonly type: ResourceType;
  /** Permissions that the route requires. */
  readonly permissions: readonly string[];
  /** Document of a write, without attributes. */
  body(id: string): object | undefined;
}

const slugOf = (type: ResourceType, access: string): string =>
  `${resources[type].group}.${type}.${access}`;

const routesOfType = (type: ResourceType): Route[] => {
  const { operations, actions = {}, relations }: Resource = resources[type];
  const record = `/v2/${type}/{id}`;
  const nothing = () => undefined;
  const document = (id: string) => documentOf(type, {}, {}, id);
  const read = slugOf(type, 'read');
  const update = [slugOf(type, 'update')];
  return [
    { method: 'GET', template: `/v2/${type}`, permissions: [read], body: nothing },
    { method: 'GET', template: record, permissions: [read], body: nothing },
    ...Object.entries(relations).map(([name, { to }]) => ({
      method: 'GET' as const,
      template: `${record}/relationships/${name}`,
      permissions: [...new Set([read, slugOf(to as ResourceType, 'read')])],
      body: nothing,
    })),
    ...(operations.includes('create')
      ? [
          {
            method: 'POST' as const,
            template: `/v2/${type}`,
            permissions: [slugOf(type, 'create')],
            body: () => documentOf(type, {}),
          },
        ]
      : []),
    ...(operations.includes('update')
      ? [{ method: 'PATCH' as const, template: record, permissions: update, body: document }]
      : []),
    ...Object.keys(actions).map((name) => ({
      method: 'PATCH' as const,
      template: `${record}/${name}`,
      permissions: update,
      body: document,
    })),
  ].map((route) => ({ ...route, type }) as Route);
};

/** Every route of every type. */
export const routes: readonly Route[] = (Object.keys(resources) as ResourceType[]).flatMap(
  routesOfType,
);
