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
  bodyFor(id: string): object | undefined;
}

const slugOf = (type: ResourceType, access: string): string =>
  `${resources[type].group}.${type}.${access}`;

const routesOfType = (type: ResourceType): Route[] => {
  const { operations, actions = {}, relations }: Resource = resources[type];
  const recordPath = `/v2/${type}/{id}`;
  const noBody = () => undefined;
  const document = (id: string) => documentOf(type, {}, {}, id);
  const readPermission = slugOf(type, 'read');
  const updatePermissions = [slugOf(type, 'update')];
  return [
    { method: 'GET', template: `/v2/${type}`, permissions: [readPermission], bodyFor: noBody },
    { method: 'GET', template: recordPath, permissions: [readPermission], bodyFor: noBody },
    ...Object.entries(relations).map(([name, { to }]) => ({
      method: 'GET' as const,
      template: `${recordPath}/relationships/${name}`,
      permissions: [...new Set([readPermission, slugOf(to as ResourceType, 'read')])],
      bodyFor: noBody,
    })),
    ...(operations.includes('create')
      ? [
          {
            method: 'POST' as const,
            template: `/v2/${type}`,
            permissions: [slugOf(type, 'create')],
            bodyFor: () => documentOf(type, {}),
          },
        ]
      : []),
    ...(operations.includes('update')
      ? [
          {
            method: 'PATCH' as const,
            template: recordPath,
            permissions: updatePermissions,
            bodyFor: document,
          },
        ]
      : []),
    ...Object.keys(actions).map((name) => ({
      method: 'PATCH' as const,
      template: `${recordPath}/${name}`,
      permissions: updatePermissions,
      bodyFor: document,
    })),
  ].map((route) => ({ ...route, type }) as Route);
};

/** Every route of every type. */
export const routes: readonly Route[] = (Object.keys(resources) as ResourceType[]).flatMap(
  routesOfType,
);
