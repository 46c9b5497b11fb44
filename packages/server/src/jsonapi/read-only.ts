import { isDeepStrictEqual } from 'node:util';
import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type { Row } from '../platform/database/row.ts';
import type { Behaviour, ReadOnlyMembers, RequestContext, WriteInput } from './behaviour.ts';
import type { FieldModel, Model, RelationModel } from './model.ts';
import { encodePointerSegment } from './parse-document/issues.ts';
import { isObject } from './parse-document/json-body.ts';
import type { ParsedResource, Reader } from './reading/read.ts';
import { parseTimestamp } from './values/timestamp.ts';

interface ReadOnlyCheck {
  readonly model: Model;
  readonly reader: Reader;
  readonly wasShown: Behaviour['wasShown'];
}

/**
 * Context of an update whose document repeats read-only members, which must match the locked row. Reads other
 * tables only if the document names their records.
 */
export async function withUnchanged(
  readOnlyCheck: ReadOnlyCheck,
  ctx: RequestContext,
  id: string,
  { read_only }: WriteInput,
): Promise<RequestContext> {
  if (!read_only) return ctx;
  const { model, reader } = readOnlyCheck;
  const externalNames = Object.keys(read_only.relationships).filter((name) =>
    isExternal(model, name),
  );
  const externalLinkage =
    externalNames.length > 0 ? await reader.linkageOf(ctx, model, id, externalNames) : {};
  return {
    ...ctx,
    requireUnchanged(row) {
      const shownRecord = reader.showRecord(ctx, model, row);
      const relationships = { ...shownRecord.relationships, ...externalLinkage };
      requireSame(readOnlyCheck, read_only, row, { ...shownRecord, relationships });
    },
  };
}

/** Whether a relationship's linkage depends on more than the record's own row. */
function isExternal(model: Model, name: string): boolean {
  const { many, guarded } = model.relations.get(name) as RelationModel;
  return many || guarded;
}

/** Throws 422 with each member whose value differs from the record's. */
function requireSame(
  { model, wasShown }: ReadOnlyCheck,
  sentMembers: ReadOnlyMembers,
  row: Row,
  shownResource: ParsedResource,
): void {
  const attributes = Object.entries(sentMembers.attributes).filter(
    ([name, value]) =>
      !isSameValue(model.fields.get(name), value, shownValueOf(shownResource, model, name)) &&
      !wasShown?.(row, name, value),
  );
  const relationships = Object.entries(sentMembers.relationships).filter(
    ([name, { data }]) =>
      !isDeepStrictEqual(
        identifiersIn(data),
        identifiersIn(shownResource.relationships?.[name]?.data),
      ),
  );
  const problems = [
    ...attributes.map(([name]) => changedAttribute(model, name)),
    ...relationships.map(([name]) => changedProblem('relationships', name)),
  ];
  if (problems.length > 0) throw new ProblemError(problems);
}

const changedProblem = (memberGroup: 'attributes' | 'relationships', name: string): Problem => ({
  code: 'read_only',
  detail: `${name} is read-only and differs from the record. Leave it out, or read the record again.`,
  source: { pointer: `/data/${memberGroup}/${encodePointerSegment(name)}` },
});

function changedAttribute({ fields }: Model, name: string): Problem {
  const problem = changedProblem('attributes', name);
  const newName = fields.get(name)?.definition.deprecated_for;
  if (!newName) return problem;
  return { ...problem, detail: `${name} is the old name of ${newName}. Change ${newName} only.` };
}

/** Value of an attribute as shown; other names are members of the resource object. */
const shownValueOf = (shownResource: ParsedResource, { fields }: Model, name: string): unknown =>
  (fields.has(name)
    ? shownResource.attributes
    : (shownResource as Readonly<Record<string, unknown>>))?.[name] ?? null;

/** Whether a sent value is the one that the record shows. Timestamps may have fewer decimals. */
export const isSameValue = (
  field: FieldModel | undefined,
  sentValue: unknown,
  shownValue: unknown,
): boolean =>
  field?.definition.type === 'timestamp' &&
  typeof sentValue === 'string' &&
  typeof shownValue === 'string'
    ? isSameInstant(sentValue, shownValue)
    : isDeepStrictEqual(sentValue, shownValue);

/** Characters of a timestamp before its decimals. */
const TO_SECONDS = '2026-11-21T03:44:00.'.length;
const DECIMALS = /\.(\d+)/;

/**
 * Whether both timestamps agree to the precision of the sent one. Clients truncate decimals and convert time
 * zones.
 */
function isSameInstant(sentTime: string, shownTime: string): boolean {
  const digits = Math.min(DECIMALS.exec(sentTime)?.[1]?.length ?? 0, 6);
  const comparedLength = TO_SECONDS + digits;
  return parseTimestamp(sentTime)?.slice(0, comparedLength) === shownTime.slice(0, comparedLength);
}

/** Resource identifiers of a linkage, sorted; undefined if malformed. */
function identifiersIn(data: unknown): unknown {
  if (!Array.isArray(data)) return data === null ? null : identityOf(data);
  return data.map(identityOf).toSorted();
}

const identityOf = (identifier: unknown): string | undefined =>
  isObject(identifier) ? `${identifier.type} ${String(identifier.id).toLowerCase()}` : undefined;
