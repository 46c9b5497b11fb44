import { createHash } from 'node:crypto';

/** SHA-256 of a request's content: equal for documents that differ only in the order of members. */
export const requestHash = (content: unknown): string =>
  createHash('sha256').update(canonicalText(content)).digest('base64url');

function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`);
  return `{${members.join(',')}}`;
}
