import { randomBytes } from 'node:crypto';
import { isObject } from '../../http/input.ts';
import { textOfScalar, unusableBody } from './write-scalar.ts';

/** Members of a form with a file. */
const PARTS_MAX = 8;
/** Names that cannot end their header or begin another. */
const PLAIN_NAME = /^[\w.-]{1,100}$/;
const PLAIN_TYPE = /^[a-z]+\/[a-z0-9.+-]{1,50}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BOUNDARY_BYTES = 24;

/** A body with the content type that names its boundary. */
export interface WrittenMultipart {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/**
 * Writes an object as `multipart/form-data` (RFC 7578). A member `{ file_name, content_type, content }` is a file with
 * its content in base64. The random boundary cannot be in a content. Throws `body_unusable` that names the position.
 */
export function writeMultipart(body: unknown): WrittenMultipart {
  if (!isObject(body)) throw unusableBody([], 'is no object');
  const members = Object.entries(body);
  if (members.length > PARTS_MAX) throw unusableBody([], `has over ${PARTS_MAX} members`);
  const boundary = randomBytes(BOUNDARY_BYTES).toString('hex');
  const parts = members.flatMap(([name, value]) => {
    if (!PLAIN_NAME.test(name)) throw unusableBody([name], 'has a name that a form cannot have');
    const { head, content } = partOf(name, value);
    return [Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, Buffer.from('\r\n')];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function partOf(name: string, value: unknown): { head: string; content: Buffer } {
  const disposition = `Content-Disposition: form-data; name="${name}"`;
  if (!isObject(value))
    return { head: disposition, content: Buffer.from(textOfScalar(value, [name])) };
  const { file_name, content_type, content } = value;
  if (typeof file_name !== 'string' || !PLAIN_NAME.test(file_name))
    throw unusableBody([name, 'file_name'], 'is no plain name');
  if (typeof content_type !== 'string' || !PLAIN_TYPE.test(content_type))
    throw unusableBody([name, 'content_type'], 'is no media type');
  if (typeof content !== 'string' || !BASE64.test(content))
    throw unusableBody([name, 'content'], 'is no base64');
  return {
    head: `${disposition}; filename="${file_name}"\r\nContent-Type: ${content_type}`,
    content: Buffer.from(content, 'base64'),
  };
}
