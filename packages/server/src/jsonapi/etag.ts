import { crc32 } from 'node:zlib';
import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../platform/database/row.ts';
import { microsOf } from '../platform/time/clock.ts';
import type { Model } from './model.ts';

/** Column that changes with every change of a row; absent if the type has no timestamps. */
export const versionColumn = ({ fields }: Model): string | undefined =>
  (fields.get('updated_at') ?? fields.get('created_at'))?.column;

/** Version of a row; independent of the requested fields. */
export function versionOf({ updated_at, created_at }: Row): string | undefined {
  const at = updated_at ?? created_at;
  return at == null ? undefined : microsOf(at).toString(BASE);
}

/** Number base of the counters in entity tags. */
const BASE = 36;

/**
 * Entity tag of a document. Strong for one record, and then begins with the record's version; otherwise weak.
 * A checksum of the bytes covers fieldset, included records and cursor.
 */
export function entityTag(body: Buffer, version: string | undefined): string {
  const bytes = `${body.length.toString(BASE)}-${crc32(body).toString(BASE)}`;
  return version ? `"${version}.${bytes}"` : `W/"${bytes}"`;
}

/** Quoted texts of a header with entity tags, including `W/`; undefined if the header is malformed. */
function tagsOf(header: string): string[] | undefined {
  return /^\s*(?:(?:W\/)?"[^"]*"\s*(?:,\s*|$))+$/.test(header)
    ? (header.match(/(?:W\/)?"[^"]*"/g) ?? undefined)
    : undefined;
}

const withoutPrefix = (tag: string): string => tag.replace(/^W\//, '');

/** Whether `If-None-Match` names this document; false for a malformed header. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return (
    tagsOf(ifNoneMatch)?.some((clientTag) => withoutPrefix(clientTag) === withoutPrefix(tag)) ??
    false
  );
}

/** Versions of the record that a write accepts; `any`: every existing record. */
export type IfMatch = 'any' | ReadonlySet<string>;

const SOURCE = { header: 'If-Match' };

/**
 * Parses `If-Match`. Weak tags match nothing (RFC 9110, 13.1.1). Throws `invalid_value` for a
 * malformed list.
 */
export function parseIfMatch(header: string | undefined): IfMatch | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  const tags = tagsOf(header);
  if (!tags) {
    throw problem(
      'invalid_value',
      'If-Match must be * or entity tags from ETag, with their quotes.',
      SOURCE,
    );
  }
  return new Set(tags.flatMap((tag) => /^"([^.]+)\./.exec(tag)?.[1] ?? []));
}

/** Throws `stale_record` (412) unless `If-Match` names the locked row's version. */
export function requireMatch(ifMatch: IfMatch | undefined, row: Row): void {
  if (ifMatch === undefined || ifMatch === 'any') return;
  const version = versionOf(row);
  if (version !== undefined && ifMatch.has(version)) return;
  throw problem(
    'stale_record',
    'The record has changed since you read it. Read it again and send the new ETag.',
    SOURCE,
  );
}
