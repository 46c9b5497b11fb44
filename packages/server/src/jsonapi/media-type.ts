import { problem } from '@florin/contract/errors.ts';

/** The JSON:API media type, which every answer has, without parameters. */
export const MEDIA_TYPE = 'application/vnd.api+json';

interface MediaType {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Splits at `separator` outside quoted strings. */
function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted && char === '\\') at += 1;
    else if (char === '"') quoted = !quoted;
    else if (char === separator && !quoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

const unquoted = (value: string): string =>
  /^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;

function parseMediaType(text: string): MediaType {
  const [name = '', ...rest] = splitUnquoted(text, ';').map((part) => part.trim());
  const pairs = rest
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const [key = '', ...value] = part.split('=');
      return [key.trim().toLowerCase(), unquoted(value.join('=').trim())];
    });
  return { name: name.toLowerCase(), parameters: new Map(pairs) };
}

/** Profiles are hints that may be ignored; any extension is one we do not have, any other parameter is not allowed. */
const isPlain = ({ parameters }: MediaType): boolean =>
  [...parameters].every(([name, value]) => name === 'profile' || (name === 'ext' && value === ''));

function isAcceptable(range: string): boolean {
  const { name, parameters } = parseMediaType(range);
  if (Number(parameters.get('q') ?? 1) === 0) return false;
  if (name === '*/*' || name === 'application/*') return true;
  const own = new Map([...parameters].filter(([parameter]) => parameter !== 'q'));
  return name === MEDIA_TYPE && isPlain({ name, parameters: own });
}

/** Throws `not_acceptable` (406) unless the client takes plain JSON:API. No header means that it does. */
export function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === MEDIA_TYPE || accept === '*/*') return;
  if (accept.trim() === '' || splitUnquoted(accept, ',').some(isAcceptable)) return;
  throw problem('not_acceptable', `Answers are ${MEDIA_TYPE} without parameters.`, {
    header: 'Accept',
  });
}

/** Throws `unsupported_media_type` (415) unless the body says that it is JSON:API. */
export function checkContentType(contentType: string | undefined): void {
  if (contentType === MEDIA_TYPE) return;
  const type = parseMediaType(contentType ?? '');
  if (type.name === MEDIA_TYPE && isPlain(type)) return;
  throw problem('unsupported_media_type', `Send the body as ${MEDIA_TYPE} without parameters.`, {
    header: 'Content-Type',
  });
}
