import type { FastifyRequest } from 'fastify';
import type { Model, Models } from '../../jsonapi/model.ts';
import { isObject, parseJson } from '../../jsonapi/parse-document/json-body.ts';
import { LINKAGE_MAX } from '../../jsonapi/parse-document/relationships.ts';
import { isUuid } from '../../platform/ids.ts';

/** Records of one type that a request names. */
export interface NamedRecords {
  readonly model: Model;
  readonly ids: readonly string[];
}

/**
 * Records with a mode that a request names in its address or in the relationships of its body. The body may have any
 * content, because the request was refused.
 */
export function namedRecords(
  models: Models,
  { params, routeOptions, body }: Pick<FastifyRequest, 'params' | 'routeOptions' | 'body'>,
): NamedRecords[] {
  const [, , type = ''] = routeOptions.url?.split('/') ?? [];
  const model = models.find(type);
  if (!model) return [];
  const { id } = params as { id?: unknown };
  const records = [{ model, ids: [id] }, ...relatedRecords(model, body)];
  return records.flatMap(({ model: named, ids }) => {
    const uuids = ids.filter(isText).filter(isUuid);
    return named.has_mode && uuids.length > 0 ? [{ model: named, ids: uuids }] : [];
  });
}

const isText = (value: unknown): value is string => typeof value === 'string';

function relatedRecords(model: Model, body: unknown): { model: Model; ids: unknown[] }[] {
  const relationships = relationshipsOf(body);
  return Object.entries(relationships).flatMap(([name, value]) => {
    const target = model.relations.get(name)?.target;
    return target ? [{ model: target, ids: idsOf(value) }] : [];
  });
}

function relationshipsOf(body: unknown): object {
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  const document = parseUnchecked(body);
  const data = isObject(document) ? document.data : undefined;
  return isObject(data) && isObject(data.relationships) ? data.relationships : {};
}

function parseUnchecked(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

const idsOf = (relationship: unknown): unknown[] => {
  const linkage = isObject(relationship) ? relationship.data : undefined;
  const identifiers = Array.isArray(linkage) ? linkage.slice(0, LINKAGE_MAX) : [linkage];
  return identifiers.map((identifier) => (isObject(identifier) ? identifier.id : undefined));
};
