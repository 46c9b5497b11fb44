import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Manifest } from './files.ts';

/** Schemas of Kubernetes 1.34, compiled. */
export const SCHEMAS = 'kubernetes-models@5.1.0';

type Models = Readonly<Record<string, new (data: unknown) => { validate(): void }>>;

/** Problems of manifests, a sentence each, and the number of fields that were tried. */
export interface Validation {
  readonly fields: number;
  readonly problems: readonly string[];
}

/**
 * Validates manifests with the schemas that are installed in a directory. The schemas allow unknown fields, so each field
 * gets a value of a wrong type: the schema of a known field refuses it.
 */
export async function validate(
  manifests: readonly Manifest[],
  directory: string,
): Promise<Validation> {
  const load = await createLoader(directory);
  const problems: string[] = [];
  let fields = 0;
  for (const manifest of manifests) {
    const { apiVersion, kind, metadata } = manifest;
    const Model = (await load(`kubernetes-models/${apiVersion}`))[kind];
    if (!Model) throw new Error(`Kubernetes has no ${apiVersion} ${kind}`);
    const faultOf = (data: unknown): string | undefined => {
      try {
        new Model(data).validate();
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    const name = `${kind} ${metadata.name}`;
    const fault = faultOf(manifest);
    if (fault) problems.push(`${name}: ${fault}`);
    for (const path of pathsOf(manifest)) {
      fields += 1;
      if (!faultOf(spoiled(manifest, path)))
        problems.push(`${name}: Kubernetes knows no field ${path.join('.')}`);
    }
  }
  return { fields, problems };
}

/** The package has no entry for `require`, so a module beside it imports it. */
async function createLoader(directory: string): Promise<(name: string) => Promise<Models>> {
  const path = join(directory, 'load.mjs');
  writeFileSync(path, 'export const load = (name) => import(name);');
  return ((await import(pathToFileURL(path).href)) as { load(name: string): Promise<Models> }).load;
}

type Path = readonly (string | number)[];

/** Paths of all fields, and of all elements of lists. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return [at, ...pathsOf(child, at)];
  });
}

/** A copy whose field has a value of another type. */
function spoiled(manifest: Manifest, path: Path): unknown {
  const copy = structuredClone(manifest) as unknown;
  const parent = path
    .slice(0, -1)
    .reduce<Container>((at, key) => at[key] as Container, copy as Container);
  const key = path.at(-1) ?? '';
  parent[key] = typeof parent[key] === 'object' ? 'of a wrong type' : [{}];
  return copy;
}

type Container = Record<string | number, unknown>;
