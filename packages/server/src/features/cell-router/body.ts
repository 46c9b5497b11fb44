import { problem } from '@florin/contract/errors.ts';
import type { FastifyReply } from 'fastify';
import { isObject, type JsonObject } from '../../jsonapi/parse-document/json-body.ts';
import { BODY_BYTES_MAX } from '../../jsonapi/request.ts';

/** Reads the whole body of a request. */
export async function readBytes({ request }: FastifyReply): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.raw as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX)
      throw problem('body_too_large', `A body may have at most ${BODY_BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Members of a JSON object; none if the text is no object. */
export function bodyMembersOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
