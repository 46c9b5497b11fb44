import type { Resource } from '@florin/contract/resources/define-resource.ts';
import type { ResourceType } from '@florin/contract/resources/index.ts';
import { use } from 'react';

/** Every definition of the interface by its type. */
export type Registry = Readonly<Record<ResourceType, Resource>>;

let loading: Promise<Registry> | undefined;

/** The definitions are a tenth of a page's scripts, and not every page needs them. */
export function loadRegistry(): Promise<Registry> {
  loading ??= import('@florin/contract/resources/index.ts').then(({ resources }) => resources);
  return loading;
}

/** All definitions; the component waits for them. */
export const useRegistry = (): Registry => use(loadRegistry());

/** Whether an address names a type of the interface. */
export const isResourceType = (registry: Registry, type: string): type is ResourceType =>
  Object.hasOwn(registry, type);
