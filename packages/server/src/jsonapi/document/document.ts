/** A link of a document. Some profiles require null for a missing page. */
export type Link = string | null | { readonly href: string; readonly type: string };

/** Parts of a document with records. Each record is JSON text. */
interface DocumentParts {
  /** List: an array. Single record: its JSON text, or `'null'`. */
  readonly data: string | readonly string[];
  readonly links: Readonly<Record<string, Link>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly included?: readonly string[] | undefined;
  /** URI of the profile that the document follows. */
  readonly profile?: string | undefined;
}

/** A JSON:API 1.1 document, ready to send. */
export const documentOf = (parts: DocumentParts): Buffer => bytesOf(chunksOf(parts));

/**
 * Adds the cursor to a record's JSON text. A record's own `meta` is its last member, closed by the second
 * last brace.
 */
export function withCursor(record: string, cursor: string, hasMeta: boolean): string {
  const page = `"page":{"cursor":"${cursor}"}`;
  return hasMeta ? `${record.slice(0, -2)},${page}}}` : `${record.slice(0, -1)},"meta":{${page}}}`;
}

function* chunksOf({ data, links, meta = {}, included, profile }: DocumentParts): Iterable<string> {
  const profiles = profile ? `,"profile":${JSON.stringify([profile])}` : '';
  yield `{"jsonapi":{"version":"1.1"${profiles}},"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)},"data":`;
  if (typeof data === 'string') yield data;
  else yield* listChunks(data);
  if (included) {
    yield ',"included":';
    yield* listChunks(included);
  }
  yield '}';
}

function* listChunks(records: readonly string[]): Iterable<string> {
  let separator = '[';
  for (const record of records) {
    yield separator;
    yield record;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

const SCRATCH_BYTES = 256 * 1024;
/** Largest buffer that is reused; a larger buffer serves one document only. */
const SCRATCH_CACHED_MAX = 4 * 1024 * 1024;
const UTF8_BYTES_MAX = 3;

let scratch = Buffer.allocUnsafe(SCRATCH_BYTES);

/** Encodes record by record, which is twice as fast as joining the complete document's text first. */
function bytesOf(chunks: Iterable<string>): Buffer {
  let end = 0;
  for (const chunk of chunks) {
    const neededBytes = end + chunk.length * UTF8_BYTES_MAX;
    if (neededBytes > scratch.length)
      scratch = Buffer.concat([scratch.subarray(0, end)], neededBytes * 2);
    end += scratch.write(chunk, end);
  }
  const bytes = Buffer.from(scratch.subarray(0, end));
  if (scratch.length > SCRATCH_CACHED_MAX) scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  return bytes;
}
